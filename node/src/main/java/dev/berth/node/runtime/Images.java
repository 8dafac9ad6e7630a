package dev.berth.node.runtime;

import dev.berth.kube.fact.Topic;
import java.util.List;

/// The images from which containers of a node can be started at once.
///
/// @param known whether the runtime tells them
/// @param all those there are
public record Images(boolean known, List<Image> all) {
  /// Of a runtime that does not tell them.
  public static final Images UNKNOWN = new Images(false, List.of());

  public static final Topic<Images> TOPIC = new Topic<>("images of this node", UNKNOWN);

  /// One of them.
  ///
  /// @param names by which pods may call it; one with its digest, if that is known
  public record Image(List<String> names, long bytes) {
    public Image {
      names = List.copyOf(names);
    }
  }

  public Images {
    all = List.copyOf(all);
  }
}

package dev.berth.sidecar.connection;

import dev.berth.kube.model.Volume;
import java.util.Map;

/// The node whose volumes a driver's sidecars take care of, and no others: they run beside the
/// driver on each node (`--node-deployment`, PROV-150).
///
/// @param name of the Node
/// @param segments where the driver says that it is (`NodeGetInfo`), by topology key; not empty
public record OwnNode(String name, Map<String, String> segments) {
  public OwnNode {
    segments = Map.copyOf(segments);
    if (segments.isEmpty())
      throw new IllegalArgumentException(
          "the driver does not say where node %s is, and each node is to look after its own volumes"
              .formatted(name));
  }

  /// Whether the volume can be reached here; one that says nothing can be from everywhere
  /// (PROV-155).
  boolean reaches(Volume volume) {
    return volume.nodeAffinity().map(affinity -> affinity.matches(name, segments)).orElse(true);
  }
}

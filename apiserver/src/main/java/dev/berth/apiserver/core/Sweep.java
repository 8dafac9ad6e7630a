package dev.berth.apiserver.core;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import java.util.List;
import java.util.Optional;

/// How far the emptying of a namespace has got: one goes over its objects once, a piece at a time.
/// Nothing is created in it meanwhile, so that none is missed.
///
/// @param kind how many kinds are done
/// @param after of the next kind, the last object that was seen
public record Sweep(String namespace, int kind, ObjectKey after) {
  /// So many objects are one piece: a few milliseconds, which is what a write may have to wait.
  static final int MOST_SEEN = 256;

  /// From the beginning.
  public static Sweep of(String namespace) {
    return new Sweep(namespace, 0, ObjectKey.of(namespace, ""));
  }

  /// What came of one piece.
  ///
  /// @param rest empty: the sweep is at its end
  public record Piece(Outcome outcome, Optional<Sweep> rest) {}

  /// The names of the namespaces that are being deleted.
  public static List<String> due(State state) {
    return state.list(Resources.NAMESPACES).stream()
        .filter(each -> Holds.deleting(each.object()))
        .map(each -> each.key().name())
        .toList();
  }

  /// Whether a namespace begins to be deleted with this write.
  public static boolean begins(Written written) {
    return NamespaceTermination.begins(written);
  }
}

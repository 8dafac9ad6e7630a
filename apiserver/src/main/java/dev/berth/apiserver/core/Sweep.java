package dev.berth.apiserver.core;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How far the emptying of a namespace, or of a custom kind, has got: one goes over its objects
/// once, a piece at a time. Nothing is created in it meanwhile, so that none is missed.
///
/// @param namespace empty: all
/// @param kinds those that are still to be seen
/// @param after of the first of them, the last object that was seen
public record Sweep(String namespace, List<Resource> kinds, ObjectKey after) {
  /// So many objects are one piece: a few milliseconds, which is what a write may have to wait.
  static final int MOST_SEEN = 256;

  public Sweep {
    kinds = List.copyOf(kinds);
  }

  /// Of a namespace, from the beginning.
  static Sweep of(State state, String namespace) {
    var kinds = state.kinds().stored().stream().filter(Resource::namespaced).toList();
    return new Sweep(namespace, kinds, ObjectKey.of(namespace, ""));
  }

  /// Of a custom kind, from the beginning.
  ///
  /// @param resource under which its objects are stored
  static Sweep of(Resource resource) {
    return new Sweep("", List.of(resource), ObjectKey.of("", ""));
  }

  /// What came of one piece.
  ///
  /// @param rest empty: the sweep is at its end
  public record Piece(Outcome outcome, Optional<Sweep> rest) {}

  /// The names of the namespaces that are being deleted.
  public static List<String> namespacesThatGo(State state) {
    return state.list(Resources.NAMESPACES).stream()
        .filter(each -> Holds.deleting(each.object()))
        .map(each -> each.key().name())
        .toList();
  }

  /// All that is to be done in a state of which nothing else is known.
  public static List<Sweep> due(State state) {
    var due = new ArrayList<Sweep>();
    for (var namespace : namespacesThatGo(state)) due.add(of(state, namespace));
    for (var each : state.list(Resources.DEFINITIONS))
      if (Holds.deleting(each.object()))
        state
            .kinds()
            .definition(each.key().name())
            .ifPresent(found -> due.add(of(found.storedAs())));
    return due;
  }

  /// The sweep that begins with this write.
  ///
  /// @param state after it
  public static Optional<Sweep> begun(State state, Written written) {
    if (NamespaceTermination.begins(written)) return Optional.of(of(state, written.key().name()));
    if (!Definitions.begins(written)) return Optional.empty();
    return state.kinds().definition(written.key().name()).map(found -> of(found.storedAs()));
  }
}

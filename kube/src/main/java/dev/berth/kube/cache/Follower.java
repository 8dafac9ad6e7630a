package dev.berth.kube.cache;

import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;

/// Sees what caches see. Called by one thread at a time while the caches stand still: must be
/// quick, must not call the API, must not throw.
public interface Follower {
  /// All kinds that are followed are filled; called once, before any [#changed].
  void filled(Snapshot first);

  /// One change, each once and in order.
  ///
  /// @param with the first snapshot that has the change
  <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with);
}

package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;

/// Sees what caches see, a little later. Called by one thread at a time, with no lock held: who is
/// slow holds up nobody else.
public interface Follower {
  /// All kinds that are followed are filled; called once, before any [#changed].
  void filled(Snapshot first);

  /// The server does not let this process list one of the kinds, in its own words; told once for
  /// each kind as long as that is so, and only before [#filled].
  default void refused(Kind<?> kind, String why) {}

  /// One change, each once and in order. An object that comes unchanged is to be looked at again,
  /// since more is known now of what it refers to, or less of itself ([Snapshot#unknown]).
  ///
  /// @param with the first snapshot that has the change
  <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with);
}

package dev.berth.controller.eviction;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.Ref;
import java.time.Instant;

/// What eviction can do.
sealed interface EvictionEffect extends Effect {
  /// Lets the pod's time run.
  record Await(Ref pod, Instant since) implements EvictionEffect {}

  /// Its time no longer runs.
  record Cancel(Ref pod) implements EvictionEffect {}

  /// Says why, and asks for the pod's deletion.
  ///
  /// @param at when this was decided
  record Evict(Ref pod, Instant at) implements EvictionEffect {
    /// When it was decided is no part of what it is.
    @Override
    public boolean equals(Object other) {
      return other instanceof Evict it && it.pod.equals(pod);
    }

    @Override
    public int hashCode() {
      return pod.hashCode();
    }
  }
}

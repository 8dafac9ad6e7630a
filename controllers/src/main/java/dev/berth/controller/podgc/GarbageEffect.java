package dev.berth.controller.podgc;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;

/// What the collector can do.
sealed interface GarbageEffect extends Effect {
  /// Notes that a node is missing.
  record Miss(String node, Instant since) implements GarbageEffect {}

  /// Notes that it is there.
  record Meet(String node) implements GarbageEffect {}

  /// Marks a pod as failed, unless it has ended, and removes it at once.
  ///
  /// @param ended whether it says already how it has ended
  /// @param at when this was decided
  record Collect(Ref pod, String node, Why why, boolean ended, Instant at)
      implements GarbageEffect {
    static Collect of(Pod pod, Why why, Instant at) {
      return new Collect(pod.ref(), pod.nodeName(), why, pod.finished(), at);
    }

    /// One key may have to see to thousands of pods that have ended.
    @Override
    public Object likeness() {
      return List.of(getClass(), pod);
    }

    /// When it was decided is no part of what it is.
    @Override
    public boolean equals(Object other) {
      return other instanceof Collect it
          && it.pod.equals(pod)
          && it.why == why
          && it.ended == ended;
    }

    @Override
    public int hashCode() {
      return pod.hashCode();
    }
  }

  /// Why a pod is removed by force.
  enum Why {
    /// Its node is gone.
    ORPHANED,

    /// It is to go, and never had a node.
    UNSCHEDULED,

    /// It is to go, and its node is said to be out of service.
    OUT_OF_SERVICE,

    /// It has ended, and others that ended later are enough.
    ENDED
  }
}

package dev.berth.controller.scheduler;

import dev.berth.controller.Reservation;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;

/// What the scheduler can do.
sealed interface SchedulingEffect extends Effect {
  /// Reserves an existing volume for a claim of the pod, which takes its place on this node; the
  /// binder does the rest.
  ///
  /// @param at when that was decided
  record ReserveVolume(Revision pod, String node, Reservation reservation, Seen<Instant> at)
      implements SchedulingEffect {
    ReserveVolume(Revision pod, String node, Reservation reservation, Instant at) {
      this(pod, node, reservation, new Seen<>(at));
    }
  }

  /// Chooses the node for which a claim's volume is made: there the pod takes its place.
  ///
  /// @param at when that was decided
  record SelectNode(Revision pod, Revision claim, String node, Seen<Instant> at)
      implements SchedulingEffect {
    SelectNode(Revision pod, Revision claim, String node, Instant at) {
      this(pod, claim, node, new Seen<>(at));
    }
  }

  /// Gives the pod its node, for good.
  record BindPod(Revision pod, String node) implements SchedulingEffect {}

  /// Has pods go from a node so that another one finds its place there: it is noted first, so that
  /// nobody of no higher priority takes the place.
  ///
  /// @param at when that was decided
  record Preempt(Ref pod, Revision seen, String node, List<Ref> victims, Seen<Instant> at)
      implements SchedulingEffect {
    public Preempt {
      victims = List.copyOf(victims);
    }

    Preempt(Ref pod, Revision seen, String node, List<Ref> victims, Instant at) {
      this(pod, seen, node, victims, new Seen<>(at));
    }
  }

  /// Takes back that room was made for the pod on a node.
  record WithdrawNomination(Revision pod) implements SchedulingEffect {}

  /// Frees the place that is kept for the pod, unless the server says that it has got a node.
  record GiveBack(Revision pod) implements SchedulingEffect {}

  /// Writes into the condition `PodScheduled` why the pod has no node.
  ///
  /// @param seen the pod with its other conditions, which stay
  /// @param since when the condition became `False`
  record MarkUnscheduled(
      Ref pod, Seen<Pod> seen, String reason, String message, Seen<Instant> since)
      implements SchedulingEffect {
    MarkUnscheduled(Pod pod, String reason, String message, Instant since) {
      this(pod.ref(), new Seen<>(pod), reason, message, new Seen<>(since));
    }
  }
}

package dev.berth.controller.scheduler;

import dev.berth.controller.Reservation;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
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
  record ReserveVolume(Revision pod, String node, Reservation reservation, Instant at)
      implements SchedulingEffect {}

  /// Chooses the node for which a claim's volume is made: there the pod takes its place.
  ///
  /// @param at when that was decided
  record SelectNode(Revision pod, Revision claim, String node, Instant at)
      implements SchedulingEffect {}

  /// Gives the pod its node, for good.
  record BindPod(Revision pod, String node) implements SchedulingEffect {}

  /// Has pods go from a node so that another one finds its place there: it is noted first, so that
  /// nobody of no higher priority takes the place.
  ///
  /// @param at when that was decided
  record Preempt(Ref pod, Revision seen, String node, List<Ref> victims, Instant at)
      implements SchedulingEffect {
    public Preempt {
      victims = List.copyOf(victims);
    }
  }

  /// Takes back that room was made for the pod on a node.
  record WithdrawNomination(Revision pod) implements SchedulingEffect {}

  /// Frees the place that is kept for the pod, unless the server says that it has got a node.
  record GiveBack(Revision pod) implements SchedulingEffect {}

  /// Writes into the condition `PodScheduled` why the pod has no node.
  ///
  /// @param pod with its other conditions, which stay
  /// @param since when the condition became `False`
  record MarkUnscheduled(Pod pod, String reason, String message, Instant since)
      implements SchedulingEffect {}
}

package dev.berth.controller.scheduler;

import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.scheduler.Assumed.Placed;
import dev.berth.controller.scheduler.Placement.Match;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.GiveBack;
import dev.berth.controller.scheduler.SchedulingEffect.ReserveVolume;
import dev.berth.controller.scheduler.SchedulingEffect.SelectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Takes a pod to the node that does for it: what is still to be written, and what is waited for.
final class Pursuit {
  /// How long a claim has for its volume before the pod is told (`bindTimeoutSeconds`).
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final String LATE =
      "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded";

  private Pursuit() {}

  /// SCHED-16 and SCHED-17: volumes first, then claims, then the pod; what is written already is
  /// seen in the objects.
  static Step step(View view, Pod pod, List<Claim> claims, Placement placement) {
    var node = placement.node().meta().name();
    var seen = Revision.of(pod.meta());
    Stream<Step> reservations =
        placement.matches().stream()
            .filter(match -> match.volume().claim().isEmpty())
            .map(match -> new Act(reserve(seen, node, match, view.now())));
    Stream<Step> selections =
        placement.provisions().stream()
            .filter(claim -> claim.selectedNode().isEmpty())
            .map(claim ->
                new Act(new SelectNode(seen, Revision.of(claim.meta()), node, view.now())));
    Stream<Step> waits =
        claims.stream()
            .filter(claim -> !claim.fullyBound())
            .map(claim -> awaitVolume(view, pod, claim, node));
    return Stream.of(reservations, selections, waits)
        .flatMap(Function.identity())
        .findFirst()
        .orElseGet(() -> new Act(new BindPod(seen, node)));
  }

  private static ReserveVolume reserve(Revision pod, String node, Match match, Instant at) {
    return new ReserveVolume(
        pod,
        node,
        new Reservation(
            Revision.of(match.volume().meta()),
            Revision.of(match.claim().meta()),
            ChosenBy.CONTROLLER),
        at);
  }

  /// A place was kept for it, and now it has to wait for another, maybe in the very words that its
  /// condition has already: nothing else would free the place.
  static Step withoutOwn(View view, Pod pod, Wait wait) {
    return view.own().isEmpty() ? wait : new Act(new GiveBack(Revision.of(pod.meta()))).then(wait);
  }

  /// SCHED-17: not for ever without a word. It goes on, in upstream's words as a try that failed.
  /// Who did not place it himself, after a restart say, takes the claim's word for when that was.
  private static Step awaitVolume(View view, Pod pod, Claim claim, String node) {
    var wait = untilBound(claim, node);
    var overdue = wait.tell(Notice.warning(pod.ref(), Reasons.FAILED_SCHEDULING, LATE));
    var own = view.own().filter(place -> place.node().equals(node));
    if (own.isEmpty() && isLate(pod)) return withoutOwn(view, pod, overdue);
    var since = own.map(Placed::since).or(() -> claim.nodeSelected().map(at -> begun(at, pod)));
    if (since.isEmpty()) return withoutOwn(view, pod, wait);
    var deadline = since.get().plus(PATIENCE);
    return view.now().isBefore(deadline)
        ? withoutOther(view, pod, own, wait.lookAgainAt(deadline))
        : SchedulingDecision.unscheduled(view, pod, "SchedulerError", LATE, overdue);
  }

  /// A claim may have had its node before this pod, as one of a StatefulSet whose pod was replaced.
  private static Instant begun(Instant selected, Pod pod) {
    var created = pod.meta().created();
    return created.isAfter(selected) ? created : selected;
  }

  private static Step withoutOther(View view, Pod pod, Optional<Placed> own, Wait wait) {
    return own.isPresent() ? wait : withoutOwn(view, pod, wait);
  }

  /// Whether it has been told that its volume takes too long.
  static boolean isLate(Pod pod) {
    return pod.scheduled()
        .filter(it -> it.status().equals("False") && it.message().equals(LATE))
        .isPresent();
  }

  // L04, P20
  private static Wait untilBound(Claim claim, String node) {
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(claim.nodeSelected().orElse(claim.meta().created())) // XPL-06
        .until("claim " + claim.meta().key() + " has its volume on node " + node)
        .remedy("see what keeps the claim: " + Commands.explain(claim.ref()));
  }
}

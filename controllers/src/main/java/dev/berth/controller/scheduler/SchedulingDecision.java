package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Fits;
import dev.berth.controller.scheduler.Fit.Refused;
import dev.berth.controller.scheduler.Fit.Stage;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.controller.scheduler.SchedulingEffect.Preempt;
import dev.berth.controller.scheduler.SchedulingEffect.WithdrawNomination;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Pod.Condition;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Takes one pod to a node.
final class SchedulingDecision {
  /// After so long a pod without a place is looked at again, whether or not something was seen that
  /// may help it.
  private static final Duration NET = Duration.ofMinutes(5);

  private final Scheduler.Options options;

  SchedulingDecision(Scheduler.Options options) {
    this.options = options;
  }

  Step decide(View shown, ObjectKey key) {
    var view = shown.beside(key);
    return switch (view.pod(key)) {
      case Missing<Pod> _ -> new Settled();
      case Found<Pod>(var pod) when !waits(pod) -> new Settled();
      case Found<Pod>(var pod) when !pod.schedulingGates().isEmpty() -> gated(view, pod);
      case Found<Pod>(var pod) ->
          refusal(view, pod)
              .map(refusal -> withoutPlace(pod, refuseEverywhere(view, pod, refusal)))
              .orElseGet(() -> place(view, pod));
    };
  }

  /// Whether a pod that was to get this node still may.
  boolean stillSuits(View shown, ObjectKey key, String nodeName) {
    var view = shown.beside(key);
    return view.pod(key).found().filter(this::waits).stream()
        .filter(pod -> refusal(view, pod).isEmpty())
        .anyMatch(pod ->
            view.host(nodeName)
                .filter(host -> fit(Wanted.by(view, pod), host) instanceof Fits)
                .isPresent());
  }

  /// Why each node does not do for a pod that would be placed if one did; those that fail by its
  /// volumes come first, as everything else is well there. Empty: a node does, or none is looked
  /// at.
  List<NodeRefusal> refusals(View shown, ObjectKey key) {
    var view = shown.beside(key);
    var pod = view.pod(key).found().filter(this::waits);
    if (pod.filter(it -> it.schedulingGates().isEmpty()).isEmpty()) return List.of();
    if (refusal(view, pod.get()).isPresent()) return List.of();
    var wanted = Wanted.by(view, pod.get());
    var refusals = new ArrayList<Map.Entry<Stage, NodeRefusal>>();
    for (var host : view.hosts().toList()) {
      if (!(fit(wanted, host) instanceof Refused refused)) return List.of();
      refusals.add(Map.entry(refused.stage(), NodeRefusal.of(host, refused)));
    }
    return refusals.stream()
        .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
        .map(Map.Entry::getValue)
        .toList();
  }

  private Optional<Refusal> refusal(View view, Pod pod) {
    return PodRules.refusal(view, pod, options.actor());
  }

  /// SCHED-01.
  private boolean waits(Pod pod) {
    return pod.nodeName().isEmpty()
        && pod.schedulerName().equals(options.schedulerName())
        && !pod.finished()
        && !pod.meta().deleting();
  }

  private static Step place(View view, Pod pod) {
    var wanted = Wanted.by(view, pod);
    return Preference.best(wanted, host -> fit(wanted, host))
        .map(best -> Pursuit.step(view, pod, wanted.claims(), best))
        .orElseGet(() -> makeRoom(view, pod, wanted));
  }

  /// SCHED-48: others go for it, if that helps; else it waits.
  private static Step makeRoom(View view, Pod pod, Wanted wanted) {
    var hosts = view.hosts().toList();
    var fits = hosts.stream().map(host -> fit(wanted, host)).toList();
    var going = Preemption.underWay(view, pod);
    if (going.isPresent())
      return unscheduled(
          view,
          pod,
          "Unschedulable",
          message(fits),
          Preemption.untilGone(going.get(), going.get().nodeName(), view.now())
              .tell(Notice.warning(pod.ref(), Reasons.FAILED_SCHEDULING, message(fits))));
    return Preemption.of(view, pod, hosts, fits, SchedulingDecision::fit)
        .<Step>map(room ->
            new Act(
                    new Preempt(
                        pod.ref(),
                        Revision.of(pod.meta()),
                        room.node(),
                        refs(room.pods()),
                        view.now()))
                .then(Preemption.untilGone(room.pods().getFirst(), room.node(), view.now())))
        .orElseGet(() -> withoutPlace(pod, refuse(view, pod, fits)));
  }

  /// Nobody makes room for it any more, and no room helps: others may have what was kept for it.
  private static Step withoutPlace(Pod pod, Step refused) {
    return Preemption.nominatedNode(pod).isEmpty()
        ? refused
        : new Act(new WithdrawNomination(Revision.of(pod.meta())));
  }

  private static List<Ref> refs(List<Pod> pods) {
    return pods.stream().map(Pod::ref).toList();
  }

  private static Fit fit(Wanted wanted, Host host) {
    return NodeRules.refusal(wanted.pod(), host.existing())
        .or(() -> RoomRules.refusal(wanted, host))
        .<Fit>map(refusal -> new Refused(Stage.NODE, refusal))
        .orElseGet(() -> VolumeRules.fit(wanted, host));
  }

  // P01
  private static Step gated(View view, Pod pod) {
    return unscheduled(
        view,
        pod,
        "SchedulingGated",
        "Scheduling is blocked due to non-empty scheduling gates",
        Wait.on(pod.ref(), "spec.schedulingGates")
            .since(pod.meta().created())
            .until("its scheduling gates are removed: " + String.join(", ", pod.schedulingGates()))
            .remedy("find out who set these gates; he removes them"));
  }

  private static Step refuseEverywhere(View view, Pod pod, Refusal refusal) {
    return unschedulable(
        view,
        pod,
        "0/%d nodes are available: %s.".formatted(view.nodeCount(), refusal.reasons().getFirst()),
        refusal);
  }

  /// SCHED-03: how many nodes refused for which reason; what is waited for is the change that would
  /// help the node that got furthest.
  private static Step refuse(View view, Pod pod, List<Fit> fits) {
    if (fits.isEmpty())
      return unschedulable(view, pod, "no nodes available to schedule pods", noNode(pod));
    var refusals = fits.stream().map(Refused.class::cast).toList();
    var furthest = refusals.stream().min(Refused.FURTHEST_FIRST).orElseThrow().refusal();
    return unschedulable(
        view, pod, message(fits), counts(fits).size() == 1 ? furthest : furthest.notEverywhere());
  }

  private static String message(List<Fit> fits) {
    return "0/%d nodes are available: %s.".formatted(fits.size(), list(counts(fits)));
  }

  private static Map<String, Long> counts(List<Fit> fits) {
    return fits.stream()
        .map(Refused.class::cast)
        .flatMap(refused -> refused.refusal().reasons().stream())
        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }

  private static String list(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static Refusal noNode(Pod pod) {
    return new Refusal(
        "no nodes",
        Wait.on(pod.ref(), "spec.nodeName").since(pod.meta().created()),
        "a node has joined",
        "start a node agent");
  }

  private static Step unschedulable(View view, Pod pod, String message, Refusal refusal) {
    return unscheduled(
        view,
        pod,
        "Unschedulable",
        message,
        refusal
            .untilHelped(refused(pod))
            .tell(Notice.warning(pod.ref(), Reasons.FAILED_SCHEDULING, message))
            .lookAgainAt(net(refused(pod), view.now())));
  }

  /// SCHED-04: the next whole number of [#NET] since then.
  private static Instant net(Instant since, Instant now) {
    var gone = Duration.between(since, now);
    long times = gone.isNegative() ? 1 : gone.dividedBy(NET) + 1;
    return since.plus(NET.multipliedBy(times));
  }

  /// Since when it has been known that no node does; at first, since it has been there.
  private static Instant refused(Pod pod) {
    return pod.scheduled()
        .filter(condition -> condition.status().equals("False"))
        .flatMap(Condition::since)
        .orElse(pod.meta().created());
  }

  /// First the condition says why, then the pod waits.
  static Step unscheduled(View view, Pod pod, String reason, String message, Wait wait) {
    var told = pod.scheduled().filter(condition -> condition.status().equals("False"));
    boolean same =
        told.filter(it -> it.reason().equals(reason) && it.message().equals(message)).isPresent();
    if (same) return Pursuit.withoutOwn(view, pod, wait);
    return new Act(
            new MarkUnscheduled(
                pod,
                reason,
                message,
                told.flatMap(Condition::since).orElse(view.now().truncatedTo(ChronoUnit.SECONDS))))
        .then(wait);
  }
}

package dev.berth.node.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.PodEffect.CleanUp;
import dev.berth.node.pod.PodEffect.Delete;
import dev.berth.node.pod.PodEffect.Kill;
import dev.berth.node.pod.PodEffect.Release;
import dev.berth.node.pod.PodEffect.Report;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.pod.start.Limits;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Want;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Takes one pod on this node from its birth to its end (spec/node.md, section 13).
final class PodDecision {
  /// Longer than anybody waits; a pod may ask for more than an [Instant] holds.
  private static final Duration LONGEST_GRACE = Duration.ofDays(36_500);

  /// What a container gets to end in whose pod was deleted at once.
  private static final Duration SHORTEST_GRACE = Duration.ofSeconds(2);

  private final BiFunction<PodView, Pod, Optional<ObjectNode>> status;

  /// @param status what the pod's status should say; empty: it says so
  PodDecision(BiFunction<PodView, Pod, Optional<ObjectNode>> status) {
    this.status = status;
  }

  Step decide(PodView view, String uid) {
    var found = view.pod(uid);
    if (found.isEmpty()) return forget(view, uid);
    var pod = found.get();
    if (pod.meta().deleting()) return terminate(view, pod);
    if (view.drain().killed().isPresent())
      return reporting(view, pod, rest(view, uid, view.drain().killed().get()));
    return pod.finished()
        ? reporting(view, pod, finish(view, pod))
        : Renewals.before(reporting(view, pod, run(view, pod)), view, pod);
  }

  /// What cannot be done yet, or has failed, is told before it is waited for or tried again.
  private Step reporting(PodView view, Pod pod, Step step) {
    if (step instanceof Act(var effect, _) && !failedBefore(view, effect)) return step;
    return status.apply(view, pod).<Step>map(change -> report(pod, change)).orElse(step);
  }

  private static boolean failedBefore(PodView view, Effect effect) {
    return effect instanceof Start(var pod, var container, _, _)
        && view.local().trouble(pod.meta().uid(), container.name()).isPresent();
  }

  private static Act report(Pod pod, ObjectNode status) {
    return new Act(new Report(pod.meta().key(), pod.meta().resourceVersion(), status));
  }

  /// NRUN-01: volumes, then init containers one by one, then the others in order.
  private Step run(PodView view, Pod pod) {
    for (var container : ContainerTemplate.initOf(pod)) {
      var history = History.of(view, pod, container);
      if (history.running()) return PodWaits.untilInitEnds(pod, history);
      if (history.done() && !history.succeeded()) return new Settled(); // the pod has failed
      if (!history.done()) return start(view, pod, history);
    }
    Optional<Step> wait = Optional.empty();
    for (var container : ContainerTemplate.appsOf(pod)) {
      var history = History.of(view, pod, container);
      if (history.running() || history.done()) continue;
      var step = start(view, pod, history);
      if (step instanceof Act) return step;
      if (wait.isEmpty()) wait = Optional.of(step);
    }
    return wait.orElse(new Settled());
  }

  /// The next run of a container, as soon as it may begin.
  private Step start(PodView view, Pod pod, History history) {
    var refused = view.agent().itself() ? Limits.refusal(pod) : Optional.<String>empty();
    if (refused.isPresent()) return PodWaits.untilSupported(pod, refused.get());
    if (view.now().isBefore(history.nextStart())) return PodWaits.untilPauseEnds(pod, history);
    Map<String, Want> volumes = new HashMap<>();
    for (var need : view.needs(pod)) {
      switch (need) {
        case Need.Unknown(_, var until) -> {
          return until;
        }
        case Need.Known known when !view.mounted(pod, known) -> {
          return PodWaits.untilMounted(view, pod, known);
        }
        case Need.Known(var name, var want) -> {
          var same = volumes.values().stream().filter(want::contradicts).findFirst();
          if (same.isPresent()) return PodWaits.untilOneWant(pod, want, same.get());
          volumes.put(name, want);
        }
      }
    }
    return new Act(new Start(pod, history.container(), history.nextAttempt(), volumes));
  }

  /// It has ended: its volumes go, its object stays (NRUN-08).
  private Step finish(PodView view, Pod pod) {
    var uid = pod.meta().uid();
    return rest(view, uid, view.now().plus(grace(pod)));
  }

  /// Nothing of it stays here; its object and its data do.
  private Step rest(PodView view, String uid, Instant killed) {
    var stop = stop(view, uid, killed);
    if (stop.isPresent()) return stop.get();
    if (view.actual().holds(uid)) return new Act(new Release(uid));
    return view.mayBeMounted(uid) ? PodWaits.untilUnmounted(view, uid) : new Settled();
  }

  /// NRUN-16 and NVM-16, line by line: that a volume may be mounted is enough to wait, and
  /// [CleanUp] refuses while anything is mounted below the pod's directory.
  private Step terminate(PodView view, Pod pod) {
    var uid = pod.meta().uid();
    var stop = stop(view, uid, pod.meta().deleted().orElse(view.now()));
    if (stop.isPresent()) return reporting(view, pod, stop.get());
    if (view.actual().holds(uid)) return new Act(new Release(uid));
    var change = status.apply(view, pod);
    if (change.isPresent()) return report(pod, change.get());
    if (view.mayBeMounted(uid)) return PodWaits.untilUnmounted(view, pod);
    if (view.local().knows(uid)) return new Act(new CleanUp(uid));
    return new Act(new Delete(pod.meta().key(), uid));
  }

  /// Its object is gone; what is here of it goes as well.
  private Step forget(PodView view, String uid) {
    var stop = stop(view, uid, view.now().plus(SHORTEST_GRACE));
    if (stop.isPresent()) return stop.get();
    if (view.actual().holds(uid)) return new Act(new Release(uid));
    if (view.mayBeMounted(uid)) return PodWaits.untilUnmounted(view, uid);
    // What a stack that ends leaves is for the next one to remove, which knows all objects.
    if (view.local().knows(uid) && !view.drain().given()) return new Act(new CleanUp(uid));
    return new Settled();
  }

  /// What runs is asked to end, and killed when its time is over (NRUN-09). The shortest time that
  /// it was ever given counts.
  ///
  /// @param killed when, if nothing was said before
  /// @return empty: nothing of the pod runs
  private static Optional<Step> stop(PodView view, String uid, Instant killed) {
    var deadlines = new HashMap<ContainerId, Instant>();
    Set<ContainerId> unasked = new HashSet<>();
    for (var run : view.local().runs(uid)) {
      if (!run.runs()) continue;
      var asked = view.local().stopping().get(run.id());
      boolean sooner = asked == null || killed.isBefore(asked);
      var deadline = sooner ? killed : asked;
      deadlines.put(run.id(), deadline);
      if (sooner && view.now().isBefore(deadline)) unasked.add(run.id());
    }
    if (deadlines.isEmpty()) return Optional.empty();
    if (!unasked.isEmpty()) return Optional.of(new Act(new Stop(uid, unasked, killed)));
    var over = new HashSet<>(deadlines.keySet());
    over.removeIf(id -> view.now().isBefore(deadlines.get(id)));
    return Optional.of(
        over.isEmpty()
            ? PodWaits.untilContainersEnd(view, uid, deadlines)
            : new Act(new Kill(uid, over)));
  }

  private static Duration grace(Pod pod) {
    long seconds = pod.spec().path("terminationGracePeriodSeconds").asLong(30);
    return Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_GRACE.toSeconds()));
  }
}

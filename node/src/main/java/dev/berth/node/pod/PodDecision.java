package dev.berth.node.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.PodEffect.CleanUp;
import dev.berth.node.pod.PodEffect.Delete;
import dev.berth.node.pod.PodEffect.Kill;
import dev.berth.node.pod.PodEffect.Release;
import dev.berth.node.pod.PodEffect.Report;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.pod.start.Limits;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Want;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
    if (pod.finished()) return reporting(view, pod, finish(view, pod));
    var doom = Doom.of(view, pod);
    if (doom.isPresent()) return doomed(view, pod, doom.get());
    var step = Doom.before(reporting(view, pod, living(view, pod)), view, pod);
    return Renewals.before(Probes.before(step, view, pod), view, pod);
  }

  /// It counts as failed when nothing of it runs any more: until then its volumes are in use.
  private Step doomed(PodView view, Pod pod, Doom doom) {
    var stop = stop(view, pod.meta().uid(), view.now().plus(grace(pod)));
    if (stop.isPresent()) return reporting(view, pod, stop.get());
    return status
        .apply(view, pod)
        .<Step>map(change -> report(pod, change, Optional.of(doom.notice(pod.ref()))))
        .orElseGet(Settled::new);
  }

  /// What runs and must not goes first; then what is to run.
  private Step living(PodView view, Pod pod) {
    var uid = pod.meta().uid();
    var failed = Probes.failed(view, pod);
    if (failed.isPresent()) return new Act(restart(view, pod, failed.get()));
    var deadlines = new HashMap<ContainerId, Instant>();
    for (var run : view.local().runs(uid)) {
      var killed = view.local().stopping().get(run.id());
      if (run.runs() && killed != null) deadlines.put(run.id(), killed);
    }
    var over = new HashSet<>(deadlines.keySet());
    over.removeIf(id -> view.now().isBefore(deadlines.get(id)));
    if (!over.isEmpty()) return new Act(new Kill(uid, over));
    var step = run(view, pod);
    return deadlines.isEmpty() ? step : Probes.lookAgain(step, Collections.min(deadlines.values()));
  }

  /// NRUN-10: it ends in its grace, or the probe's, and starts again as after any other end.
  private static Stop restart(PodView view, Pod pod, Probes.Wanted failed) {
    var own = failed.spec().path("terminationGracePeriodSeconds");
    var grace = own.isNumber() ? Duration.ofSeconds(Math.max(1, own.asLong())) : grace(pod);
    return new Stop(
        pod.meta().uid(),
        Set.of(failed.probing().run()),
        view.now().plus(grace),
        Optional.of(pod),
        "Container %s failed %s probe, will be restarted"
            .formatted(
                failed.container().name(),
                failed.probing().kind().word().toLowerCase(Locale.ROOT)));
  }

  /// What cannot be done yet, or has failed, is told before it is waited for or tried again.
  private Step reporting(PodView view, Pod pod, Step step) {
    if (step instanceof Act(var effect, _) && !failedBefore(view, effect)) return step;
    return status.apply(view, pod).<Step>map(change -> report(pod, change)).orElse(step);
  }

  private static boolean failedBefore(PodView view, Effect effect) {
    return effect instanceof Start start
        && view.local().trouble(start.podUid(), start.container().name()).isPresent();
  }

  private static Act report(Pod pod, ObjectNode status) {
    return report(pod, status, Optional.empty());
  }

  private static Act report(Pod pod, ObjectNode status, Optional<Notice> notice) {
    return new Act(new Report(Revision.of(pod.meta()), status, notice));
  }

  /// NRUN-01: volumes, then init containers one by one, then the others in order. Sidecars run on
  /// beside what comes after them, and end when the others have (NRUN-07).
  private Step run(PodView view, Pod pod) {
    var init = histories(view, pod, ContainerTemplate.initOf(pod));
    var apps = histories(view, pod, ContainerTemplate.appsOf(pod));
    if (apps.stream().allMatch(History::done))
      return stop(view, pod.meta().uid(), view.now().plus(grace(pod))).orElse(new Settled());
    int passed = passed(init, apps);
    Optional<Step> wait = Optional.empty();
    for (int i = 0; i < init.size(); i++) {
      var step = init(view, pod, init.get(i), i < passed);
      if (step.isEmpty()) continue;
      if (step.get() instanceof Act || i >= passed) return both(step.get(), wait);
      wait = Optional.of(both(step.get(), wait));
    }
    return both(apps(view, pod, apps), wait);
  }

  /// @param passed whether something that comes after it has begun
  /// @return empty: what comes after it may go on
  private Optional<Step> init(PodView view, Pod pod, History history, boolean passed) {
    if (history.container().sidecar()) {
      if (!history.running()) return Optional.of(start(view, pod, history));
      return passed || Health.of(view, pod, history).started()
          ? Optional.empty()
          : Optional.of(PodWaits.untilContainerStarts(pod, history));
    }
    if (passed) return Optional.empty();
    if (history.running()) return Optional.of(PodWaits.untilInitEnds(pod, history));
    if (!history.done()) return Optional.of(start(view, pod, history));
    return history.succeeded()
        ? Optional.empty()
        : Optional.of(new Settled()); // the pod has failed
  }

  private Step apps(PodView view, Pod pod, List<History> apps) {
    Optional<Step> wait = Optional.empty();
    for (var history : apps) {
      // NRUN-09: the next one starts when the hook is over, not when the probe succeeds.
      if (history.latest().filter(run -> view.local().hooked().contains(run.id())).isPresent())
        return both(PodWaits.untilContainerStarts(pod, history), wait);
      if (history.running() || history.done()) continue;
      var step = start(view, pod, history);
      if (step instanceof Act) return step;
      wait = Optional.of(both(step, wait));
    }
    return wait.orElse(new Settled());
  }

  /// How many init containers have something after them that has begun.
  private static int passed(List<History> init, List<History> apps) {
    if (apps.stream().anyMatch(history -> history.latest().isPresent())) return init.size();
    for (int i = init.size() - 1; i > 0; i--) if (init.get(i).latest().isPresent()) return i;
    return 0;
  }

  /// A step, at which is looked again when the other one would be.
  private static Step both(Step step, Optional<Step> other) {
    return other.flatMap(PodDecision::again).map(time -> Probes.lookAgain(step, time)).orElse(step);
  }

  private static Optional<Instant> again(Step step) {
    return step instanceof Wait wait ? wait.again() : Optional.empty();
  }

  private static List<History> histories(
      PodView view, Pod pod, List<ContainerTemplate> containers) {
    return containers.stream().map(container -> History.of(view, pod, container)).toList();
  }

  /// The next run of a container, as soon as it may begin.
  private Step start(PodView view, Pod pod, History history) {
    var refused = view.agent().itself() ? Limits.refusal(pod) : Optional.<String>empty();
    if (refused.isPresent()) return PodWaits.untilSupported(pod, refused.get());
    if (view.now().isBefore(history.nextStart())) return PodWaits.untilPauseEnds(pod, history);
    Map<String, Want> volumes = new HashMap<>();
    Map<String, Need.Placed> places = new HashMap<>();
    for (var need : view.needs(pod)) {
      switch (need) {
        case Need.Unknown(_, var until) -> {
          return until;
        }
        case Need.Placed placed -> places.put(placed.volume(), placed);
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
    return new Act(
        new Start(pod, history.container(), history.nextAttempt(), volumes, places, view.images()));
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
  /// it was ever given counts. Sidecars come after the others, the last one first, and get a moment
  /// even if the others have used up the time (NRUN-07).
  ///
  /// @param killed when, if nothing was said before
  /// @return empty: nothing of the pod runs
  private static Optional<Step> stop(PodView view, String uid, Instant killed) {
    var pod = view.pod(uid);
    var turn = pod.map(it -> turn(view, it)).orElseGet(() -> running(view, uid));
    if (turn.isEmpty()) return Optional.empty();
    boolean sidecar =
        pod.stream()
            .flatMap(it -> ContainerTemplate.of(it))
            .filter(ContainerTemplate::sidecar)
            .anyMatch(it -> it.name().equals(turn.getFirst().id().name()));
    var least = view.now().plus(SHORTEST_GRACE);
    var until = sidecar && killed.isBefore(least) ? least : killed;
    var deadlines = new HashMap<ContainerId, Instant>();
    Set<ContainerId> unasked = new HashSet<>();
    for (var run : turn) {
      var asked = view.local().stopping().get(run.id());
      boolean sooner = asked == null || until.isBefore(asked);
      var deadline = sooner ? until : asked;
      deadlines.put(run.id(), deadline);
      if (sooner && view.now().isBefore(deadline)) unasked.add(run.id());
    }
    if (!unasked.isEmpty()) return Optional.of(new Act(new Stop(uid, unasked, until, pod, "")));
    var over = new HashSet<>(deadlines.keySet());
    over.removeIf(id -> view.now().isBefore(deadlines.get(id)));
    return Optional.of(
        over.isEmpty()
            ? PodWaits.untilContainersEnd(view, uid, deadlines)
            : new Act(new Kill(uid, over)));
  }

  /// Those that are to end now: all but sidecars; when these have ended, the last sidecar.
  private static List<Run> turn(PodView view, Pod pod) {
    var running = running(view, pod.meta().uid());
    var sidecars =
        ContainerTemplate.initOf(pod).stream()
            .filter(ContainerTemplate::sidecar)
            .map(ContainerTemplate::name)
            .toList();
    var others = running.stream().filter(run -> !sidecars.contains(run.id().name())).toList();
    return others.isEmpty()
        ? running.stream()
            .max(Comparator.comparingInt(run -> sidecars.indexOf(run.id().name())))
            .stream()
            .toList()
        : others;
  }

  private static List<Run> running(PodView view, String uid) {
    return view.local().runs(uid).stream().filter(Run::runs).toList();
  }

  private static Duration grace(Pod pod) {
    long seconds = pod.spec().path("terminationGracePeriodSeconds").asLong(30);
    return Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_GRACE.toSeconds()));
  }
}

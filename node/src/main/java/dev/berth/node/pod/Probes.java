package dev.berth.node.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.PodEffect.Probe;
import dev.berth.node.pod.local.ProbeState;
import dev.berth.node.pod.local.ProbeState.Verdict;
import dev.berth.node.pod.local.Probing;
import dev.berth.node.pod.local.Probing.Kind;
import dev.berth.node.pod.probe.Attempt;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// When the probes of a pod's containers are due, and which run has failed one (NRUN-10).
final class Probes {
  private Probes() {}

  /// What is to be done while nothing else is; else the step, which looks again when it is time.
  static Step before(Step step, PodView view, Pod pod) {
    if (step instanceof Act || !view.agent().itself()) return step;
    Optional<Instant> next = Optional.empty();
    for (var probe : wanted(view, pod)) {
      var due = probe.due(view);
      if (due.isEmpty()) continue;
      if (!view.now().isBefore(due.get()))
        return new Act(new Probe(pod, probe.container(), probe.probing()));
      if (next.isEmpty() || due.get().isBefore(next.get())) next = due;
    }
    return next.map(time -> lookAgain(step, time)).orElse(step);
  }

  /// The same step, at which is looked again at `time` at the latest.
  static Step lookAgain(Step step, Instant time) {
    return switch (step) {
      case Act act -> act;
      case Settled settled -> settled.lookAgainAt(sooner(settled.again(), time));
      case Wait wait -> wait.lookAgainAt(sooner(wait.again(), time));
    };
  }

  private static Instant sooner(Optional<Instant> one, Instant other) {
    return one.filter(other::isAfter).orElse(other);
  }

  /// A probe that is to be asked now or later.
  ///
  /// @param since when its container was started
  record Wanted(ContainerTemplate container, Probing probing, JsonNode spec, Instant since) {
    Optional<Instant> due(PodView view) {
      var state = view.local().probe(probing);
      if (state.underWay()) return Optional.empty();
      return Optional.of(
          state.begun().equals(Instant.MIN)
              ? since.plusSeconds(spec.path("initialDelaySeconds").asLong(0))
              : state.begun().plus(period(spec)));
    }
  }

  /// Of a run that starts up, its startup probe; later, its others. None of one that is to end.
  private static List<Wanted> wanted(PodView view, Pod pod) {
    var wanted = new ArrayList<Wanted>();
    for (var container : ContainerTemplate.of(pod).toList()) {
      if (container.init() && !container.sidecar()) continue;
      var history = History.of(view, pod, container);
      var run = history.latest().filter(it -> it.state() instanceof ContainerState.Running);
      if (run.isEmpty() || view.local().stopping().containsKey(run.get().id())) continue;
      if (view.local().hooked().contains(run.get().id())) continue;
      var kinds =
          Health.of(view, pod, history).started()
              ? Stream.of(Kind.LIVENESS, Kind.READINESS)
              : Stream.of(Kind.STARTUP);
      kinds
          .filter(kind -> kind.in(container.spec()).isObject())
          .forEach(kind ->
              wanted.add(
                  new Wanted(
                      container,
                      new Probing(run.get().id(), kind),
                      kind.in(container.spec()),
                      run.get().state().started())));
    }
    return wanted;
  }

  /// A run that is to be started anew because a probe has failed: which probe.
  static Optional<Wanted> failed(PodView view, Pod pod) {
    return wanted(view, pod).stream()
        .filter(probe -> probe.probing().kind() != Kind.READINESS)
        .filter(probe -> view.local().probe(probe.probing()).verdict() == Verdict.FAILURE)
        .findFirst();
  }

  static Duration period(JsonNode probe) {
    return Duration.ofSeconds(Math.max(1, probe.path("periodSeconds").asLong(10)));
  }

  static Duration limit(JsonNode probe) {
    return Duration.ofSeconds(Math.max(1, probe.path("timeoutSeconds").asLong(1)));
  }

  /// A try of which nothing is known says nothing, as a kubelet has it: an engine that is being
  /// replaced must not have containers killed.
  static ProbeState after(ProbeState state, JsonNode probe, Attempt.Outcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> state.succeed(Math.max(1, probe.path("successThreshold").asInt(1)));
      case FAILED -> state.fail(Math.max(1, probe.path("failureThreshold").asInt(3)));
      case UNKNOWN -> state.over();
    };
  }
}

package dev.berth.node.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.PodEffect.Probe;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.local.Probing.Kind;
import dev.berth.node.pod.probe.Attempt;
import dev.berth.node.pod.probe.Attempt.Outcome;
import dev.berth.node.pod.probe.Attempts;
import dev.berth.node.pod.probe.Target;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out probes and lifecycle hooks, each beside everything else that is done for the pod:
/// one that hangs keeps nothing from being decided (NRUN-09, NRUN-10). They end with the agent, and
/// the next one begins them again.
final class Hooks {
  private static final Logger log = LoggerFactory.getLogger(Hooks.class);

  /// What a preStop hook leaves of the grace for the program itself.
  private static final Duration RESERVE = Duration.ofSeconds(2);

  /// No postStart hook may run for longer; a kubelet waits for ever.
  private static final Duration LONGEST = Duration.ofHours(1);

  private static final int LONGEST_GRACE = 3600;

  private final Attempts attempts;
  private final Beside beside;
  private final ContainerRuntime runtime;
  private final LocalState local;
  private final EventRecorder events;
  private final Time time;

  Hooks(ContainerRuntime runtime, LocalState local, EventRecorder events, Time time) {
    this.attempts = new Attempts(runtime);
    this.beside = new Beside(time);
    this.runtime = runtime;
    this.local = local;
    this.events = events;
    this.time = time;
  }

  static boolean has(ContainerTemplate container, String hook) {
    return container.spec().path("lifecycle").path(hook).isObject();
  }

  /// Asks once. What it says is in `local` when it is known.
  void begin(Probe effect) {
    var probing = effect.probing();
    var container = effect.container();
    var spec = probing.kind().in(container.spec());
    local.change(here -> here.with(probing, here.probe(probing).begin(time.now())));
    attempt(
        spec,
        effect.pod(),
        container,
        probing.run(),
        Probes.limit(spec),
        outcome -> {
          local.change(here ->
              here.with(probing, Probes.after(here.probe(probing), spec, outcome.outcome())));
          if (!outcome.succeeded()) tellUnhealthy(effect.pod(), probing.kind(), outcome);
        });
  }

  private void tellUnhealthy(Pod pod, Kind kind, Attempt outcome) {
    events.tell(
        Notice.warning(
            pod.ref(),
            Reasons.UNHEALTHY,
            "%s probe %s: %s"
                .formatted(
                    kind.word(),
                    outcome.outcome() == Outcome.UNKNOWN ? "errored" : "failed",
                    outcome.said())));
  }

  /// The container's postStart hook, if it has one; if that fails, the container ends.
  void afterStart(Pod pod, ContainerTemplate container, ContainerId id) {
    if (!has(container, "postStart")) return;
    attempt(
        container.spec().path("lifecycle").path("postStart"),
        pod,
        container,
        id,
        LONGEST,
        outcome -> {
          if (!outcome.succeeded()) failStart(pod, id, outcome);
          local.change(here -> here.unhooked(id));
        });
  }

  private void failStart(Pod pod, ContainerId id, Attempt outcome) {
    events.tell(
        Notice.warning(
            pod.ref(), Reasons.FAILED_POST_START_HOOK, "PostStartHook failed: " + outcome.said()));
    events.tell(
        Notice.normal(pod.ref(), Reasons.KILLING, "FailedPostStartHook of container " + id.name()));
    int grace = pod.spec().path("terminationGracePeriodSeconds").asInt(30);
    var killed = time.now().plusSeconds(Math.clamp(grace, 1, LONGEST_GRACE));
    local.change(here -> here.stopping(Set.of(id), killed));
    runtime.terminate(id);
  }

  /// The container's preStop hook, if it has one, then `terminate`: at the latest when there is
  /// just enough time left for that.
  void beforeEnd(Stop effect, ContainerId id, Runnable terminate) {
    var container =
        effect
            .pod()
            .flatMap(pod ->
                ContainerTemplate.of(pod).filter(it -> it.name().equals(id.name())).findFirst());
    if (container.isEmpty() || !has(container.get(), "preStop")) {
      terminate.run();
      return;
    }
    var left = Duration.between(time.now(), effect.killed()).minus(RESERVE);
    var pod = effect.pod().orElseThrow();
    attempt(
        container.get().spec().path("lifecycle").path("preStop"),
        pod,
        container.get(),
        id,
        left.compareTo(RESERVE) > 0 ? left : RESERVE,
        outcome -> {
          if (!outcome.succeeded())
            events.tell(
                Notice.warning(
                    pod.ref(),
                    Reasons.FAILED_PRE_STOP_HOOK,
                    "PreStopHook failed: " + outcome.said()));
          terminate.run();
        });
  }

  private void attempt(
      JsonNode action,
      Pod pod,
      ContainerTemplate container,
      ContainerId id,
      Duration limit,
      Consumer<Attempt> then) {
    var address = Optional.of(Json.text(pod.status(), "podIP")).filter(ip -> !ip.isEmpty());
    var target = new Target(id, container.spec(), address.orElse("127.0.0.1"));
    beside.start(() -> attempt(action, target, limit), then);
  }

  private Attempt attempt(JsonNode action, Target target, Duration limit)
      throws InterruptedException {
    try {
      return attempts.of(action, target, limit);
    } catch (RuntimeException failed) {
      log.warn("a probe or hook of container {}", target.run(), failed);
      return Attempt.unknown(failed);
    }
  }

  /// Gives up what is under way; nothing follows from it any more.
  ///
  /// @return done when nothing is under way
  CompletableFuture<Void> stop() {
    return beside.stop();
  }
}

package dev.berth.node.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What has become of one container of a pod so far, and when it may run again.
///
/// @param runs oldest first; the last two at least, if there were as many
record History(ContainerTemplate container, RestartPolicy policy, List<Run> runs) {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final Duration LONG_RUN = Duration.ofMinutes(10);

  History {
    runs = List.copyOf(runs);
  }

  /// `spec.restartPolicy`.
  enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER;

    static RestartPolicy of(Pod pod) {
      return switch (Json.text(pod.spec(), "restartPolicy")) {
        case "Never" -> NEVER;
        case "OnFailure" -> ON_FAILURE;
        case String _ -> ALWAYS;
      };
    }
  }

  /// What the machine does not know any more is taken from the pod's status: a run that was
  /// reported is never taken for one that was not.
  static History of(PodView view, Pod pod, ContainerTemplate container) {
    var known = view.local().runs(pod.meta().uid(), container.name());
    return new History(
        container,
        RestartPolicy.of(pod),
        known.isEmpty() ? reported(pod, container, view.now()) : known);
  }

  /// How many times it was started again.
  int restarts() {
    return latest().map(run -> run.id().attempt()).orElse(0);
  }

  Optional<Run> latest() {
    return runs.isEmpty() ? Optional.empty() : Optional.of(runs.getLast());
  }

  /// The run before the latest.
  Optional<Run> previous() {
    return runs.size() < 2 ? Optional.empty() : Optional.of(runs.get(runs.size() - 2));
  }

  boolean running() {
    return latest().filter(Run::runs).isPresent();
  }

  boolean succeeded() {
    return latest().filter(Run::succeeded).isPresent();
  }

  /// It has run and will not run again (NRUN-07).
  boolean done() {
    return latest().filter(run -> !run.runs() && !restarts(run)).isPresent();
  }

  private boolean restarts(Run run) {
    if (container.sidecar()) return true;
    return switch (policy) {
      case ALWAYS -> !container.init() || !run.succeeded();
      case ON_FAILURE -> !run.succeeded();
      case NEVER -> false;
    };
  }

  int nextAttempt() {
    return latest().map(run -> run.id().attempt() + 1).orElse(0);
  }

  /// Pause between the end of the latest run and the next: none after the first, then 10 s, doubled
  /// each time; none after a long run.
  Duration pause() {
    if (latest().isEmpty()) return Duration.ZERO;
    var run = latest().get();
    int attempt = run.id().attempt();
    if (attempt == 0 || lasted(run).compareTo(LONG_RUN) >= 0) return Duration.ZERO;
    var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 10));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /// When the next run may begin at the earliest.
  Instant nextStart() {
    return latest().map(run -> ended(run).plus(pause())).orElse(Instant.MIN);
  }

  private static Duration lasted(Run run) {
    return Duration.between(run.state().started(), ended(run));
  }

  /// A run of which nobody saw the end may have ended long ago.
  private static Instant ended(Run run) {
    return run.state() instanceof ContainerState.Exited(_, Instant finished, _)
        ? finished
        : run.state().started();
  }

  /// Its runs, if the pod's status tells the truth.
  static List<Run> told(Pod pod, ContainerTemplate container) {
    return reported(pod, container, Instant.EPOCH).stream()
        .map(run ->
            run.state() instanceof ContainerState.Lost(var started, _, _)
                ? new Run(run.id(), new ContainerState.Running(started), "", run.image())
                : run)
        .toList();
  }

  /// @param missed when one that ran is found to be gone
  private static List<Run> reported(Pod pod, ContainerTemplate container, Instant missed) {
    var field = container.init() ? "initContainerStatuses" : "containerStatuses";
    for (var status : pod.status().path(field))
      if (Json.text(status, "name").equals(container.name()))
        return reported(pod, container, status, missed);
    return List.of();
  }

  private static List<Run> reported(
      Pod pod, ContainerTemplate container, JsonNode status, Instant missed) {
    int attempt = status.path("restartCount").asInt();
    var image = Json.text(status, "imageID");
    var runs = new ArrayList<Run>();
    var last = status.path("lastState").path("terminated");
    var state = status.path("state");
    boolean waits = !state.hasNonNull("running") && !state.hasNonNull("terminated");
    // A container that waits for its next run still counts as the run that has ended.
    if (last.isObject() && (waits || attempt > 0))
      runs.add(
          exited(
              new ContainerId(pod.meta().uid(), container.name(), waits ? attempt : attempt - 1),
              last,
              image));
    var id = new ContainerId(pod.meta().uid(), container.name(), attempt);
    if (state.hasNonNull("running"))
      runs.add(
          new Run(
              id,
              new ContainerState.Lost(
                  Json.instant(state.path("running"), "startedAt").orElse(Instant.EPOCH),
                  missed,
                  "the container is not known on its node any more"),
              "",
              image));
    if (state.hasNonNull("terminated")) runs.add(exited(id, state.path("terminated"), image));
    return runs;
  }

  private static Run exited(ContainerId id, JsonNode terminated, String image) {
    return new Run(
        id,
        new ContainerState.Exited(
            Json.instant(terminated, "startedAt").orElse(Instant.EPOCH),
            Json.instant(terminated, "finishedAt").orElse(Instant.EPOCH),
            terminated.path("exitCode").asInt()),
        Json.text(terminated, "message"),
        image);
  }
}

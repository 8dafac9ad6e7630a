package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod in a few words, put together from its containers as upstream's printer does it (API-131).
/// While the pod is being initialized only its init containers count, afterwards only the others
/// and the sidecars (init containers that are always restarted).
///
/// @param ready containers that are ready
/// @param containers all that are to run side by side
/// @param status the phase, or what is most worth knowing instead
/// @param restarts of all containers that count
/// @param lastRestart when the last of them ended before it was started again
record PodSummary(
    int ready, int containers, String status, int restarts, Optional<Instant> lastRestart) {

  static PodSummary of(JsonNode pod) {
    var sidecars = sidecars(pod);
    int containers = pod.path("spec").path("containers").size() + sidecars.size();
    var init = statuses(pod, "initContainerStatuses");
    var holdsUp = holdsUp(init, sidecars);
    int readySidecars = readySidecars(init.subList(0, holdsUp.orElse(init.size())), sidecars);
    if (holdsUp.isPresent() && !holds(pod, "Initialized")) {
      var seen = init.subList(0, holdsUp.get() + 1);
      var status = initializing(pod, seen.getLast(), holdsUp.get());
      return summary(pod, readySidecars, containers, status, seen);
    }
    var main = statuses(pod, "containerStatuses");
    int ready = readySidecars + (int) main.stream().filter(PodSummary::runsReady).count();
    var counted =
        Stream.concat(init.stream().filter(each -> isSidecar(each, sidecars)), main.stream())
            .toList();
    var before = holdsUp.map(index -> initializing(pod, init.get(index), index)).orElse(phase(pod));
    return summary(pod, ready, containers, running(pod, main, before), counted);
  }

  /// `2 (5m ago)`.
  String restartsText(Instant now) {
    return restarts == 0 || lastRestart.isEmpty()
        ? String.valueOf(restarts)
        : restarts + " (" + Age.since(lastRestart.get(), now) + " ago)";
  }

  private static PodSummary summary(
      JsonNode pod, int ready, int containers, String status, List<JsonNode> counted) {
    return new PodSummary(
        ready,
        containers,
        deletion(pod).orElse(status),
        counted.stream().mapToInt(each -> each.path("restartCount").asInt()).sum(),
        counted.stream()
            .map(each -> Age.moment(each.path("lastState").path("terminated"), "finishedAt"))
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder()));
  }

  private static String phase(JsonNode pod) {
    for (var condition : pod.path("status").path("conditions"))
      if (Json.text(condition, "type").equals("PodScheduled")
          && Json.text(condition, "reason").equals("SchedulingGated")) return "SchedulingGated";
    var reason = Json.text(pod.path("status"), "reason");
    return reason.isEmpty() ? Json.text(pod.path("status"), "phase") : reason;
  }

  /// The first init container that has neither done its work nor runs as a sidecar.
  private static Optional<Integer> holdsUp(List<JsonNode> init, Set<String> sidecars) {
    for (int index = 0; index < init.size(); index++) {
      var each = init.get(index);
      boolean succeeded = each.at("/state/terminated/exitCode").asInt(-1) == 0;
      boolean runs = isSidecar(each, sidecars) && each.path("started").asBoolean();
      if (!succeeded && !runs) return Optional.of(index);
    }
    return Optional.empty();
  }

  private static int readySidecars(List<JsonNode> init, Set<String> sidecars) {
    return (int)
        init.stream()
            .filter(each -> each.at("/state/terminated/exitCode").asInt(-1) != 0)
            .filter(each -> isSidecar(each, sidecars) && each.path("ready").asBoolean())
            .count();
  }

  private static String initializing(JsonNode pod, JsonNode container, int index) {
    var terminated = container.path("state").path("terminated");
    if (terminated.isObject()) return "Init:" + ending(terminated);
    var waiting = Json.text(container.path("state").path("waiting"), "reason");
    if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) return "Init:" + waiting;
    return "Init:" + index + "/" + pod.path("spec").path("initContainers").size();
  }

  /// What the first container with something to tell says; otherwise `before`.
  private static String running(JsonNode pod, List<JsonNode> containers, String before) {
    var status =
        containers.stream().flatMap(each -> trouble(each).stream()).findFirst().orElse(before);
    boolean someRun = containers.stream().anyMatch(PodSummary::runsReady);
    if (!status.equals("Completed") || !someRun) return status;
    return holds(pod, "Ready") ? "Running" : "NotReady";
  }

  private static Optional<String> trouble(JsonNode container) {
    var waiting = Json.text(container.path("state").path("waiting"), "reason");
    if (!waiting.isEmpty()) return Optional.of(waiting);
    var terminated = container.path("state").path("terminated");
    return terminated.isObject() ? Optional.of(ending(terminated)) : Optional.empty();
  }

  private static String ending(JsonNode terminated) {
    var reason = Json.text(terminated, "reason");
    if (!reason.isEmpty()) return reason;
    int signal = terminated.path("signal").asInt();
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt();
  }

  private static Optional<String> deletion(JsonNode pod) {
    if (!Cells.deleting(pod)) return Optional.empty();
    var status = pod.path("status");
    if (Json.text(status, "reason").equals("NodeLost")) return Optional.of("Unknown");
    var phase = Json.text(status, "phase");
    boolean ended = phase.equals("Succeeded") || phase.equals("Failed");
    return ended ? Optional.empty() : Optional.of("Terminating");
  }

  private static boolean runsReady(JsonNode container) {
    return trouble(container).isEmpty()
        && container.path("ready").asBoolean()
        && container.path("state").path("running").isObject();
  }

  /// Whether a condition of the pod is true.
  static boolean holds(JsonNode pod, String type) {
    for (var condition : pod.path("status").path("conditions"))
      if (Json.text(condition, "type").equals(type))
        return Json.text(condition, "status").equals("True");
    return false;
  }

  private static Set<String> sidecars(JsonNode pod) {
    return Json.list(pod.path("spec").path("initContainers"), container -> container).stream()
        .filter(container -> Json.text(container, "restartPolicy").equals("Always"))
        .map(container -> Json.text(container, "name"))
        .collect(Collectors.toSet());
  }

  private static boolean isSidecar(JsonNode status, Set<String> sidecars) {
    return sidecars.contains(Json.text(status, "name"));
  }

  private static List<JsonNode> statuses(JsonNode pod, String field) {
    return Json.list(pod.path("status").path(field), status -> status);
  }
}

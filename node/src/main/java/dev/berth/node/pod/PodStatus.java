package dev.berth.node.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.PodConditions;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.start.ContainerTemplate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a pod's status should say (NRUN-11). Starts from what it says now: what is not ours to say
/// stays, and a time changes only together with what it dates.
final class PodStatus {
  private final PodView view;
  private final Pod pod;
  private final List<History> init;
  private final List<History> apps;
  private final Optional<Doom> doom;

  private PodStatus(PodView view, Pod pod) {
    this.view = view;
    this.pod = pod;
    this.init = histories(ContainerTemplate.initOf(pod));
    this.apps = histories(ContainerTemplate.appsOf(pod));
    this.doom = pod.meta().deleting() ? Optional.empty() : Doom.of(view, pod);
  }

  /// The whole status as it should be.
  ///
  /// @return empty: it is so, or it is for another agent to say
  static Optional<ObjectNode> change(PodView view, Pod pod) {
    if (!view.agent().itself()) return Optional.empty();
    var wanted = new PodStatus(view, pod).wanted();
    return wanted.equals(pod.status()) ? Optional.empty() : Optional.of(wanted);
  }

  private ObjectNode wanted() {
    var status =
        pod.status() instanceof ObjectNode now
            ? now.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    var phase = phase();
    status.put("phase", phase);
    if (ended(phase))
      doom.ifPresent(it -> status.put("reason", it.reason()).put("message", it.message()));
    status.set("conditions", conditions(phase));
    if (!status.has("startTime")) status.put("startTime", text(view.now()));
    status.put("hostIP", view.agent().addressText());
    status.putArray("hostIPs").addObject().put("ip", view.agent().addressText());
    status.put("podIP", view.agent().addressText());
    status.putArray("podIPs").addObject().put("ip", view.agent().addressText());
    var containers = new ContainerStatuses(view, pod, initialized());
    if (!init.isEmpty()) status.set("initContainerStatuses", containers.of(init));
    status.set("containerStatuses", containers.of(apps));
    return status;
  }

  private static boolean ended(String phase) {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  private String phase() {
    if (pod.finished()) return Json.text(pod.status(), "phase");
    if (doom.isPresent() && !any(History::running)) return "Failed";
    if (pod.meta().deleting() && !any(History::running))
      return apps.stream().allMatch(History::succeeded) ? "Succeeded" : "Failed";
    if (init.stream().anyMatch(history -> history.done() && !history.succeeded())) return "Failed";
    if (!initialized() || apps.stream().anyMatch(history -> history.latest().isEmpty()))
      return "Pending";
    boolean over =
        apps.stream().allMatch(History::done) && init.stream().noneMatch(History::running);
    if (!over) return "Running"; // sidecars end after the others
    return apps.stream().allMatch(History::succeeded) ? "Succeeded" : "Failed";
  }

  /// Once a container has begun that comes after them, they have done their work.
  private boolean initialized() {
    return apps.stream().anyMatch(history -> history.latest().isPresent())
        || init.stream().allMatch(this::initialized);
  }

  private boolean initialized(History history) {
    return history.container().sidecar()
        ? Health.of(view, pod, history).started()
        : history.done() && history.succeeded();
  }

  private boolean ready(History history) {
    return Health.of(view, pod, history).ready();
  }

  private ArrayNode conditions(String phase) {
    boolean begun = any(history -> history.latest().isPresent());
    boolean ended = ended(phase);
    var conditions = new Conditions(pod.status().path("conditions"), view.now());
    conditions.set(
        PodConditions.READY_TO_START_CONTAINERS, !ended && (begun || view.mounted(pod)), "", "");
    conditions.set(
        "Initialized",
        initialized(),
        "ContainersNotInitialized",
        "containers with incomplete status: " + names(init, h -> !initialized(h)));
    var serving =
        Stream.concat(init.stream().filter(h -> h.container().sidecar()), apps.stream()).toList();
    boolean ready = !ended && serving.stream().allMatch(this::ready);
    var why =
        switch (phase) {
          case "Succeeded" -> "PodCompleted";
          case "Failed" -> "PodFailed";
          default -> "ContainersNotReady";
        };
    var message = ended ? "" : "containers with unready status: " + names(serving, h -> !ready(h));
    var gates = ReadinessGates.missing(pod);
    conditions.set("ContainersReady", ready, why, message);
    if (ready && !gates.isEmpty()) conditions.set("Ready", false, "ReadinessGatesNotReady", gates);
    else conditions.set("Ready", ready, why, message);
    return conditions.list();
  }

  private List<History> histories(List<ContainerTemplate> containers) {
    return containers.stream().map(container -> History.of(view, pod, container)).toList();
  }

  private boolean any(Predicate<History> test) {
    return init.stream().anyMatch(test) || apps.stream().anyMatch(test);
  }

  private static String names(List<History> histories, Predicate<History> test) {
    return histories.stream()
        .filter(test)
        .map(history -> history.container().name())
        .collect(Collectors.joining(" ", "[", "]"));
  }

  /// Kubernetes' times have whole seconds.
  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// `status.conditions`: changes those of the given types in their places.
  private static final class Conditions {
    private final ArrayNode list = JsonNodeFactory.instance.arrayNode();
    private final Instant now;

    Conditions(JsonNode before, Instant now) {
      before.forEach(condition -> list.add(condition.deepCopy()));
      this.now = now;
    }

    /// @param reason why it is not true; empty: none is given
    void set(String type, boolean holds, String reason, String message) {
      var word = holds ? "True" : "False";
      var next = JsonNodeFactory.instance.objectNode().put("type", type).put("status", word);
      if (!holds && !reason.isEmpty()) next.put("reason", reason);
      if (!holds && !message.isEmpty()) next.put("message", message);
      for (int i = 0; i < list.size(); i++) {
        var before = list.get(i);
        if (!Json.text(before, "type").equals(type)) continue;
        // Kubernetes' own server shows it even where nobody has set it.
        if (before.has("lastProbeTime")) next.set("lastProbeTime", before.get("lastProbeTime"));
        var since = Json.optionalText(before, "lastTransitionTime");
        next.put(
            "lastTransitionTime",
            Json.text(before, "status").equals(word) && since.isPresent()
                ? since.get()
                : text(now));
        list.set(i, next);
        return;
      }
      list.add(next.put("lastTransitionTime", text(now)));
    }

    ArrayNode list() {
      return list;
    }
  }
}

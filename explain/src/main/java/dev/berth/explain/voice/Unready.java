package dev.berth.explain.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.explain.answer.EventsAbout;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Event;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod that runs and does not become ready (U02): one of its containers, a sidecar perhaps, is
/// asked by its startup or readiness probe and does not answer as it should; or somebody else has
/// to say so first, for whom a readiness gate waits. No decider waits for that, and whoever keeps
/// the pod does.
final class Unready {
  private static final int LONGEST_COMMAND = 60;

  /// What load balancers' controllers and their like take.
  private static final Duration GATE = Duration.ofMinutes(2);

  private Unready() {}

  /// A probe that has not succeeded.
  ///
  /// @param word as events begin with it
  private record Asked(JsonNode container, JsonNode status, String field, String word) {
    String name() {
      return Json.text(container, "name");
    }

    JsonNode probe() {
      return container.path(field);
    }
  }

  static Stream<Step> of(Pod pod, Snapshot objects, Instant now) {
    if (pod.finished() || pod.meta().deleting()) return Stream.empty();
    return Stream.concat(
            Stream.concat(sidecars(pod), pod.spec().path("containers").valueStream())
                .flatMap(container -> asked(pod, container).stream())
                .map(asked -> untilReady(pod, asked, objects)),
            shut(pod).map(gate -> untilOpen(pod, gate)))
        .limit(1);
  }

  /// Containers that start before the pod's own and stay beside them.
  static Stream<JsonNode> sidecars(Pod pod) {
    return pod.spec()
        .path("initContainers")
        .valueStream()
        .filter(it -> Json.text(it, "restartPolicy").equals("Always"));
  }

  /// Types of the conditions that are not `True`, once all containers are ready.
  private static Stream<String> shut(Pod pod) {
    return pod.phase() != Pod.Phase.RUNNING
        ? Stream.empty()
        : pod.spec()
            .path("readinessGates")
            .valueStream()
            .map(gate -> Json.text(gate, "conditionType"))
            .filter(type -> !Json.text(condition(pod, type), "status").equals("True"));
  }

  private static JsonNode condition(Pod pod, String type) {
    return pod.status()
        .path("conditions")
        .valueStream()
        .filter(it -> Json.text(it, "type").equals(type))
        .findFirst()
        .orElseGet(MissingNode::getInstance);
  }

  private static Step untilOpen(Pod pod, String gate) {
    var condition = condition(pod, gate);
    var message = Json.text(condition, "message");
    var sentence = Wait.on(pod.ref(), "status.conditions");
    return Stream.of(condition, condition(pod, "ContainersReady"))
        .flatMap(it -> Json.instant(it, "lastTransitionTime").stream())
        .max(Comparator.naturalOrder())
        .map(sentence::since)
        .orElse(sentence)
        .until(
            "its readiness gate %s is True%s"
                .formatted(gate, message.isEmpty() ? "" : ", of which is said: " + message.strip()))
        .ifLate(
            GATE,
            "see what has become of who sets condition %s of pods, perhaps the controller of a load balancer"
                .formatted(gate));
  }

  private static Optional<Asked> asked(Pod pod, JsonNode container) {
    return Stream.of("initContainerStatuses", "containerStatuses")
        .flatMap(field -> pod.status().path(field).valueStream())
        .filter(it -> Json.text(it, "name").equals(Json.text(container, "name")))
        .filter(it -> it.path("state").has("running") && !it.path("ready").asBoolean())
        .findFirst()
        .map(it ->
            !it.path("started").asBoolean() && container.has("startupProbe")
                ? new Asked(container, it, "startupProbe", "Startup")
                : new Asked(container, it, "readinessProbe", "Readiness"))
        .filter(it -> it.probe().isObject());
  }

  private static Step untilReady(Pod pod, Asked asked, Snapshot objects) {
    var sentence = Wait.on(pod.ref(), "status.conditions");
    return since(pod, asked)
        .map(sentence::since)
        .orElse(sentence)
        .until(
            "container %s is ready, whose %s (%s) has not succeeded%s"
                .formatted(
                    asked.name(),
                    asked.field(),
                    words(asked.probe()),
                    reported(pod, asked, objects)))
        .ifLate(usual(asked.probe()), remedy(pod, asked));
  }

  /// Of a container that was started again, when it was.
  private static Optional<Instant> since(Pod pod, Asked asked) {
    return Stream.concat(
            Json.instant(condition(pod, "Ready"), "lastTransitionTime").stream(),
            Json.instant(asked.status().path("state").path("running"), "startedAt").stream())
        .max(Comparator.naturalOrder());
  }

  /// After which the node's agent has asked often enough to count the probe as failed.
  private static Duration usual(JsonNode probe) {
    return Duration.ofSeconds(
        probe.path("initialDelaySeconds").asLong(0)
            + probe.path("periodSeconds").asLong(10) * probe.path("failureThreshold").asLong(3)
            + probe.path("timeoutSeconds").asLong(1));
  }

  /// What an event told last: true then, perhaps not now (XPL-01).
  private static String reported(Pod pod, Asked asked, Snapshot objects) {
    return EventsAbout.of(pod.ref(), objects).stream()
        .filter(event -> event.warns() && event.reason().equals(Reasons.UNHEALTHY))
        .filter(event -> event.aboutUid().isEmpty() || event.aboutUid().equals(pod.meta().uid()))
        .filter(event -> event.message().startsWith(asked.word() + " probe "))
        .max(Comparator.comparing(Event::last))
        .map(event -> "; reported at %s: %s".formatted(event.last(), event.message().strip()))
        .orElse("");
  }

  private static String words(JsonNode probe) {
    var http = probe.path("httpGet");
    if (http.isObject())
      return "httpGet port %s path %s"
          .formatted(http.path("port").asText(), http.path("path").asText("/"));
    if (probe.path("tcpSocket").isObject())
      return "tcpSocket port " + probe.path("tcpSocket").path("port").asText();
    if (probe.path("grpc").isObject())
      return "grpc port " + probe.path("grpc").path("port").asText();
    var command =
        probe
            .path("exec")
            .path("command")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(" "));
    return "exec "
        + (command.length() > LONGEST_COMMAND
            ? command.substring(0, LONGEST_COMMAND) + "…"
            : command);
  }

  private static String remedy(Pod pod, Asked asked) {
    return "look at what the container lacks: kubectl logs -n %s %s -c %s; if the probe asks for the wrong thing, correct its %s in %s"
        .formatted(
            pod.meta().namespace(),
            pod.meta().name(),
            asked.name(),
            asked.field(),
            pod.meta()
                .controllerOwner()
                .map(Unready::template)
                .orElse("the pod's manifest, delete the pod and create it again"));
  }

  private static String template(Meta.Owner owner) {
    return "the template of what keeps the pod, %s %s".formatted(owner.kind(), owner.name());
  }
}

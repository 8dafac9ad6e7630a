package dev.berth.controller.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// What a Deployment's status is to say. `kubectl rollout status` goes by it.
record DeploymentStatus(Workload deployment, ReplicaSetsOf sets, Instant now) {
  private static final String AVAILABLE = "Available";
  private static final String PROGRESSING = "Progressing";

  /// Whether all of its pods are of its template, and available.
  static boolean isComplete(Workload deployment, ReplicaSetsOf sets) {
    int wanted = deployment.replicas();
    return sum(sets.all(), "replicas") == wanted
        && sets.present().filter(set -> has(set, "replicas") == wanted).isPresent()
        && sum(sets.all(), "availableReplicas") == wanted
        && sets.present().filter(set -> seen(set)).isPresent();
  }

  private static boolean seen(Workload set) {
    return set.status().path("observedGeneration").asLong() == set.generation();
  }

  private static long has(Workload set, String field) {
    return set.status().path(field).asLong();
  }

  private static long sum(List<Workload> sets, String field) {
    return sets.stream().mapToLong(set -> has(set, field)).sum();
  }

  /// What differs from what stands there, as the body of a patch; empty: nothing.
  Optional<JsonNode> changes() {
    long replicas = sum(sets.all(), "replicas");
    long updated = sets.present().map(set -> has(set, "replicas")).orElse(0L);
    long ready = sum(sets.all(), "readyReplicas");
    long available = sum(sets.all(), "availableReplicas");
    boolean progress =
        updated > has(deployment, "updatedReplicas")
            || replicas - updated < has(deployment, "replicas") - has(deployment, "updatedReplicas")
            || ready > has(deployment, "readyReplicas")
            || available > has(deployment, "availableReplicas");
    var changes = JsonNodeFactory.instance.objectNode();
    put(changes, "observedGeneration", deployment.generation());
    put(changes, "replicas", replicas);
    put(changes, "updatedReplicas", updated);
    put(changes, "readyReplicas", ready);
    put(changes, "availableReplicas", available);
    put(
        changes,
        "unavailableReplicas",
        Math.max(0, Math.max(replicas, deployment.replicas()) - available));
    if (sets.present().isEmpty()) put(changes, "collisionCount", sets.collisions());
    var conditions = conditions(available, progress);
    if (!conditions.equals(deployment.status().path("conditions")))
      changes.set("conditions", conditions);
    return changes.isEmpty()
        ? Optional.empty()
        : Optional.of(JsonNodeFactory.instance.objectNode().set("status", changes));
  }

  private void put(ObjectNode changes, String field, long value) {
    boolean there = deployment.status().path(field).isIntegralNumber();
    if (there ? deployment.status().path(field).asLong() != value : value != 0)
      changes.put(field, value);
  }

  private ArrayNode conditions(long available, boolean progress) {
    var conditions = JsonNodeFactory.instance.arrayNode();
    for (var each : deployment.status().path("conditions"))
      if (!Json.text(each, "type").equals(AVAILABLE)
          && !Json.text(each, "type").equals(PROGRESSING)) conditions.add(each);
    boolean enough = available >= least();
    conditions.add(
        condition(
            AVAILABLE,
            enough ? "True" : "False",
            enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
            enough
                ? "Deployment has minimum availability."
                : "Deployment does not have minimum availability.",
            false));
    progressing(progress).ifPresent(conditions::add);
    return conditions;
  }

  private Optional<JsonNode> progressing(boolean progress) {
    var was = was(PROGRESSING);
    var set = sets.present().map(it -> it.meta().name()).orElse(sets.name().name());
    if (deployment.spec().path("paused").asBoolean())
      return Optional.of(
          condition(PROGRESSING, "Unknown", "DeploymentPaused", "Deployment is paused", false));
    if (isComplete(deployment, sets))
      return Optional.of(
          condition(
              PROGRESSING,
              "True",
              "NewReplicaSetAvailable",
              "ReplicaSet \"%s\" has successfully progressed.".formatted(set),
              progress));
    boolean begins =
        !was.isObject()
            || Json.text(was, "reason").equals("DeploymentPaused")
            || !Json.text(was, "message").contains("\"" + set + "\"");
    if (sets.present().isEmpty()) return was.isObject() ? Optional.of(was) : Optional.empty();
    if (begins || progress)
      return Optional.of(
          condition(
              PROGRESSING,
              "True",
              "ReplicaSetUpdated",
              "ReplicaSet \"%s\" is progressing.".formatted(set),
              true));
    if (deadline().filter(at -> !at.isAfter(now)).isPresent())
      return Optional.of(
          condition(
              PROGRESSING,
              "False",
              "ProgressDeadlineExceeded",
              "ReplicaSet \"%s\" has timed out progressing.".formatted(set),
              false));
    return Optional.of(was);
  }

  /// When it is to be said that it does not get on; empty: it has, or it is said already.
  Optional<Instant> deadline() {
    var was = was(PROGRESSING);
    if (!Json.text(was, "reason").equals("ReplicaSetUpdated")) return Optional.empty();
    var seconds = Json.number(deployment.spec(), "progressDeadlineSeconds");
    if (seconds.isEmpty() || seconds.getAsLong() >= Integer.MAX_VALUE) return Optional.empty();
    return Json.instant(was, "lastUpdateTime")
        .map(at -> at.plus(Duration.ofSeconds(seconds.getAsLong())));
  }

  private JsonNode was(String type) {
    for (var each : deployment.status().path("conditions"))
      if (Json.text(each, "type").equals(type)) return each;
    return JsonNodeFactory.instance.missingNode();
  }

  /// @param news whether something has happened though it reads the same
  private JsonNode condition(
      String type, String status, String reason, String message, boolean news) {
    var was = was(type);
    var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    boolean same = Json.text(was, "status").equals(status);
    if (same
        && !news
        && Json.text(was, "reason").equals(reason)
        && Json.text(was, "message").equals(message)) return was;
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastUpdateTime", time)
        .put("lastTransitionTime", same ? Json.text(was, "lastTransitionTime") : time);
  }

  /// How many are to be available while pods are replaced.
  private long least() {
    int wanted = deployment.replicas();
    if (Json.text(deployment.spec().path("strategy"), "type").equals("Recreate")) return wanted;
    var most = deployment.spec().path("strategy").path("rollingUpdate").path("maxUnavailable");
    if (most.isIntegralNumber()) return Math.max(0, wanted - most.asInt());
    if (!most.isTextual()) return wanted;
    int percent = Integer.parseInt(most.asText().replaceFirst("%$", ""));
    return wanted - (long) percent * wanted / 100;
  }
}

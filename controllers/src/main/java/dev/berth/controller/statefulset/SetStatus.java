package dev.berth.controller.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.History;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a set's status is to say.
record SetStatus(Workload set, History history, Replicas replicas, Duration minReady, Instant now) {
  /// What differs from what stands there, as the body of a patch; empty: nothing.
  Optional<JsonNode> changes() {
    var update = history.update();
    var current = current();
    long updated = count(update);
    long ready = replicas.all().stream().filter(it -> PodState.isReady(it.pod())).count();
    long available =
        replicas.all().stream().filter(it -> PodState.isAvailable(it.pod(), minReady, now)).count();
    if (isRolledOut(updated, ready)) current = update;
    var changes = JsonNodeFactory.instance.objectNode();
    set(changes, "observedGeneration", set.generation());
    set(changes, "replicas", replicas.all().size());
    set(changes, "readyReplicas", ready);
    set(changes, "availableReplicas", available);
    set(changes, "currentReplicas", count(current));
    set(changes, "updatedReplicas", updated);
    set(changes, "collisionCount", history.collisions());
    set(changes, "currentRevision", current.meta().name());
    set(changes, "updateRevision", update.meta().name());
    if (changes.isEmpty()) return Optional.empty();
    return Optional.of(JsonNodeFactory.instance.objectNode().set("status", changes));
  }

  /// The record that pods were made by when the last roll-out was over.
  StateRecord current() {
    return history.named(Json.text(set.status(), "currentRevision")).orElseGet(history::update);
  }

  private boolean isRolledOut(long updated, long ready) {
    return Json.text(set.spec().path("updateStrategy"), "type").equals("RollingUpdate")
        && updated == set.replicas()
        && ready == set.replicas()
        && replicas.all().size() == set.replicas();
  }

  private long count(StateRecord record) {
    return replicas.all().stream()
        .map(Replicas.Numbered::pod)
        .filter(pod -> !pod.meta().deleting())
        .filter(pod -> isOf(pod, record))
        .count();
  }

  private static boolean isOf(Pod pod, StateRecord record) {
    return record.meta().name().equals(pod.meta().labels().get(Labels.REVISION_HASH));
  }

  private void set(ObjectNode changes, String field, long value) {
    if (!set.status().path(field).isIntegralNumber() || set.status().path(field).asLong() != value)
      changes.put(field, value);
  }

  private void set(ObjectNode changes, String field, String value) {
    if (!Json.text(set.status(), field).equals(value)) changes.put(field, value);
  }

  /// How many pods may be missing while a set is rolled: one, unless it is said; a part of a
  /// hundred is rounded up.
  static int unavailable(JsonNode most, int replicas) {
    if (most.isIntegralNumber()) return Math.max(1, most.asInt());
    if (!most.isTextual()) return 1;
    int percent = Integer.parseInt(most.asText().replaceFirst("%$", ""));
    return Math.max(1, Math.ceilDiv(percent * replicas, 100));
  }
}

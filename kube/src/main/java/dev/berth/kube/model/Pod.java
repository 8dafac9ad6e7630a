package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// A Pod, as far as its placement and its volumes go; `spec` has the rest for who runs it.
///
/// @param nodeName empty: not placed yet
/// @param containers init, app and ephemeral containers, in this order
/// @param nodeAffinity required node affinity
/// @param scheduled condition `PodScheduled`
/// @param spec the whole `spec`, never to be changed
/// @param status the whole `status`, never to be changed
public record Pod(
    Meta meta,
    String nodeName,
    String schedulerName,
    List<PodVolume> volumes,
    List<Container> containers,
    Map<String, String> nodeSelector,
    Optional<NodeSelector> nodeAffinity,
    List<Toleration> tolerations,
    List<String> schedulingGates,
    Phase phase,
    Optional<Condition> scheduled,
    boolean anyContainerRunning,
    JsonNode spec,
    JsonNode status)
    implements KubeObject {
  public Pod {
    volumes = List.copyOf(volumes);
    containers = List.copyOf(containers);
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = List.copyOf(tolerations);
    schedulingGates = List.copyOf(schedulingGates);
  }

  /// `status.phase`.
  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN
  }

  /// One entry of `status.conditions`.
  public record Condition(String status, String reason, String message, Optional<Instant> since) {}

  /// @param mounts names of the volumes that it mounts
  /// @param devices names of the volumes that it uses as devices
  public record Container(String name, List<String> mounts, List<String> devices) {
    public Container {
      mounts = List.copyOf(mounts);
      devices = List.copyOf(devices);
    }
  }

  /// @param key empty with `Exists`: every key
  /// @param operator `Equal` or `Exists`
  /// @param effect empty: every effect
  /// @param seconds how long a taint with the effect `NoExecute` is tolerated, below 0 as 0; empty:
  ///   for ever
  public record Toleration(
      String key, String operator, String value, String effect, OptionalLong seconds) {
    public boolean tolerates(Node.Taint taint) {
      if (!effect.isEmpty() && !effect.equals(taint.effect())) return false;
      if (key.isEmpty()) return operator.equals("Exists");
      if (!key.equals(taint.key())) return false;
      return operator.equals("Exists") || value.equals(taint.value());
    }
  }

  /// The pod as who does not run it knows it: without `spec` and `status` as a whole, which are
  /// most of it.
  public Pod bare() {
    return new Pod(
        meta,
        nodeName,
        schedulerName,
        volumes,
        containers,
        nodeSelector,
        nodeAffinity,
        tolerations,
        schedulingGates,
        phase,
        scheduled,
        anyContainerRunning,
        MissingNode.getInstance(),
        MissingNode.getInstance());
  }

  static Pod of(JsonNode object) {
    var spec = object.path("spec");
    var status = object.path("status");
    return new Pod(
        Meta.of(object),
        Json.text(spec, "nodeName"),
        Json.optionalText(spec, "schedulerName").orElse("default-scheduler"),
        Json.list(spec.path("volumes"), PodVolume::of),
        containers(spec),
        Json.texts(spec.path("nodeSelector")),
        nodeAffinity(spec),
        Json.list(
            spec.path("tolerations"),
            toleration ->
                new Toleration(
                    Json.text(toleration, "key"),
                    Json.optionalText(toleration, "operator").orElse("Equal"),
                    Json.text(toleration, "value"),
                    Json.text(toleration, "effect"),
                    Json.number(toleration, "tolerationSeconds"))),
        Json.list(spec.path("schedulingGates"), gate -> Json.text(gate, "name")),
        switch (Json.text(status, "phase")) {
          case "Running" -> Phase.RUNNING;
          case "Succeeded" -> Phase.SUCCEEDED;
          case "Failed" -> Phase.FAILED;
          case "Unknown" -> Phase.UNKNOWN;
          case String _ -> Phase.PENDING;
        },
        condition(status, "PodScheduled"),
        Stream.of("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")
            .flatMap(field -> status.path(field).valueStream())
            .anyMatch(container -> container.path("state").hasNonNull("running")),
        spec,
        status);
  }

  private static List<Container> containers(JsonNode spec) {
    var containers = new ArrayList<Container>();
    for (var field : List.of("initContainers", "containers", "ephemeralContainers"))
      containers.addAll(
          Json.list(
              spec.path(field),
              container ->
                  new Container(
                      Json.text(container, "name"),
                      Json.list(container.path("volumeMounts"), mount -> Json.text(mount, "name")),
                      Json.list(
                          container.path("volumeDevices"), device -> Json.text(device, "name")))));
    return containers;
  }

  private static Optional<NodeSelector> nodeAffinity(JsonNode spec) {
    var required =
        spec.path("affinity")
            .path("nodeAffinity")
            .path("requiredDuringSchedulingIgnoredDuringExecution");
    return required.isObject() ? Optional.of(NodeSelector.of(required)) : Optional.empty();
  }

  private static Optional<Condition> condition(JsonNode status, String type) {
    var condition = Node.condition(status, type);
    if (condition.isMissingNode()) return Optional.empty();
    return Optional.of(
        new Condition(
            Json.text(condition, "status"),
            Json.text(condition, "reason"),
            Json.text(condition, "message"),
            Json.instant(condition, "lastTransitionTime")));
  }

  public Ref ref() {
    return Ref.of(Resources.PODS, meta);
  }

  /// Whether its condition `Ready` is `True`.
  public boolean ready() {
    return Json.text(Node.condition(status, "Ready"), "status").equals("True");
  }

  /// Whether it has ended, well or not.
  public boolean finished() {
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
  }

  /// Whether it is being deleted and has no grace left: its containers are dead.
  public boolean shutDown() {
    return meta.deleting() && meta.graceSeconds().orElse(-1) == 0;
  }
}

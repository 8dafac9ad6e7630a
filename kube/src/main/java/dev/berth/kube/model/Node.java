package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A Node.
///
/// @param ready whether its condition `Ready` is `True`
/// @param unready whether that condition says otherwise; neither: it has none
/// @param readySince when that condition last changed
/// @param terminated whether its phase says that it is gone for good
/// @param volumesInUse unique names of the volumes that its agent may have mounted
/// @param volumesAttached unique names of the volumes that the attach/detach controller vouches for
/// @param allocatable `status.allocatable`: what pods may have of it
/// @param conditions `status.conditions`
public record Node(
    Meta meta,
    boolean unschedulable,
    List<Taint> taints,
    boolean ready,
    boolean unready,
    Optional<Instant> readySince,
    boolean terminated,
    Set<String> volumesInUse,
    Set<String> volumesAttached,
    Map<String, Quantity> allocatable,
    List<Condition> conditions)
    implements KubeObject {
  public Node {
    taints = List.copyOf(taints);
    allocatable = Map.copyOf(allocatable);
    conditions = List.copyOf(conditions);
    volumesInUse = inOrder(volumesInUse);
    volumesAttached = inOrder(volumesAttached);
  }

  /// @param effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`
  /// @param added `timeAdded`: controllers say it, people need not
  public record Taint(String key, String value, String effect, Optional<Instant> added) {
    /// Of which nobody has said when it was added.
    public Taint(String key, String value, String effect) {
      this(key, value, effect, Optional.empty());
    }

    /// Whether the API takes the two for one: the value does not count.
    public boolean isLike(Taint other) {
      return key.equals(other.key) && effect.equals(other.effect);
    }
  }

  /// One entry of `status.conditions`.
  ///
  /// @param status `True`, `False` or `Unknown`
  /// @param heartbeat when somebody last wrote it; empty: not said
  public record Condition(String type, String status, Optional<Instant> heartbeat) {}

  static Node of(JsonNode object) {
    var spec = object.path("spec");
    var status = object.path("status");
    var ready = condition(status, "Ready");
    return new Node(
        Meta.of(object),
        spec.path("unschedulable").asBoolean(),
        Json.list(
            spec.path("taints"),
            taint ->
                new Taint(
                    Json.text(taint, "key"),
                    Json.text(taint, "value"),
                    Json.text(taint, "effect"),
                    Json.instant(taint, "timeAdded"))),
        Json.text(ready, "status").equals("True"),
        ready.isObject() && !Json.text(ready, "status").equals("True"),
        Json.instant(ready, "lastTransitionTime"),
        Json.text(status, "phase").equals("Terminated"),
        inOrder(Json.list(status.path("volumesInUse"), JsonNode::asText)),
        inOrder(Json.list(status.path("volumesAttached"), volume -> Json.text(volume, "name"))),
        Json.quantities(status.path("allocatable")),
        Json.list(
            status.path("conditions"),
            condition ->
                new Condition(
                    Json.text(condition, "type"),
                    Json.text(condition, "status"),
                    Json.instant(condition, "lastHeartbeatTime"))));
  }

  /// `Set.copyOf` has another order in each JVM, and what goes through it does things in another
  /// order then: a seed of the simulation would not be one history.
  private static Set<String> inOrder(Collection<String> names) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(names));
  }

  static JsonNode condition(JsonNode status, String type) {
    for (var condition : status.path("conditions"))
      if (Json.text(condition, "type").equals(type)) return condition;
    return status.path("no such condition");
  }

  /// The condition of this type, if somebody has said it.
  public Optional<Condition> condition(String type) {
    return conditions.stream().filter(each -> each.type().equals(type)).findFirst();
  }

  /// How many pods it takes; empty: it does not say.
  public Optional<Quantity> maxPods() {
    return Optional.ofNullable(allocatable.get("pods"));
  }

  /// Whether it has a taint with this key, whatever its value and effect.
  public boolean hasTaint(String key) {
    return taints.stream().anyMatch(taint -> taint.key().equals(key));
  }

  public Ref ref() {
    return Ref.of(Resources.NODES, meta);
  }

  /// Whether the attach/detach controller owns its attachments: the key counts, not the value
  /// (AD-10).
  public boolean managed() {
    return meta.hasAnnotation(Annotations.CONTROLLER_MANAGED_ATTACH);
  }
}

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
/// @param maxPods `status.allocatable.pods`
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
    Optional<Quantity> maxPods)
    implements KubeObject {
  public Node {
    taints = List.copyOf(taints);
    volumesInUse = inOrder(volumesInUse);
    volumesAttached = inOrder(volumesAttached);
  }

  /// @param effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`
  public record Taint(String key, String value, String effect) {}

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
                    Json.text(taint, "effect"))),
        Json.text(ready, "status").equals("True"),
        ready.isObject() && !Json.text(ready, "status").equals("True"),
        Json.instant(ready, "lastTransitionTime"),
        Json.text(status, "phase").equals("Terminated"),
        inOrder(Json.list(status.path("volumesInUse"), JsonNode::asText)),
        inOrder(Json.list(status.path("volumesAttached"), volume -> Json.text(volume, "name"))),
        Json.quantity(status.path("allocatable"), "pods"));
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

  public Ref ref() {
    return Ref.of(Resources.NODES, meta);
  }

  /// Whether the attach/detach controller owns its attachments: the key counts, not the value
  /// (AD-10).
  public boolean managed() {
    return meta.hasAnnotation(Annotations.CONTROLLER_MANAGED_ATTACH);
  }
}

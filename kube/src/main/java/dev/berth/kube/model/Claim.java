package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.Written;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A PersistentVolumeClaim.
///
/// @param className class asked for, the legacy annotation before the field (VOC-01); empty: none
///   was named and a default may be given; `""`: no class is wanted
/// @param accessModes as asked for, in the author's order
/// @param request storage asked for
/// @param volumeName volume bound to or asked for; empty: none
/// @param selector labels that a volume must have; empty: any will do
/// @param dataSource what the volume is to be filled from
/// @param attributesClassName asked for; empty: none
/// @param attributesClasses all VolumeAttributesClasses that it names: the one asked for, the one
///   that its volume has, and the one that its volume is being given (VAC-02)
/// @param capacity `status.capacity.storage`
/// @param growth how far a change of its size has come
/// @param currentAttributesClass that its volume has; empty: none
/// @param modification the last change of its attributes that is not done; empty: none
/// @param nodeSelected when the node was chosen for it, as far as that was noted
/// @param conditions `status.conditions`, in their order
/// @param health how its volume is, as far as the driver's controller has said
public record Claim(
    Meta meta,
    Optional<String> className,
    List<AccessMode> accessModes,
    Quantity request,
    String volumeName,
    VolumeMode volumeMode,
    Optional<LabelSelector> selector,
    Optional<DataSource> dataSource,
    String attributesClassName,
    Set<String> attributesClasses,
    Phase phase,
    Optional<Quantity> capacity,
    Set<AccessMode> statusAccessModes,
    ClaimGrowth growth,
    String currentAttributesClass,
    Optional<ClaimModification> modification,
    Optional<Instant> nodeSelected,
    List<ClaimCondition> conditions,
    ClaimHealth health)
    implements KubeObject {
  public Claim {
    accessModes = List.copyOf(accessModes);
    conditions = List.copyOf(conditions);
    attributesClasses = Set.copyOf(attributesClasses);
    statusAccessModes = Set.copyOf(statusAccessModes);
  }

  /// `status.phase`.
  public enum Phase {
    PENDING,
    BOUND,
    LOST
  }

  /// @param group empty for the core group
  /// @param namespace the claim's own, unless a reference names one
  /// @param namespaced whether a reference names one, be it the claim's own
  public record DataSource(
      String group, String kind, String namespace, String name, boolean namespaced) {
    public ObjectKey key() {
      return ObjectKey.of(namespace, name);
    }
  }

  static Claim of(JsonNode object) {
    var meta = Meta.of(object);
    var spec = object.path("spec");
    var status = object.path("status");
    return new Claim(
        meta,
        meta.annotation(Annotations.BETA_STORAGE_CLASS)
            .or(() -> Json.optionalText(spec, "storageClassName")),
        Json.list(spec.path("accessModes"), mode -> AccessMode.of(mode.asText())),
        Json.quantity(spec.path("resources").path("requests"), "storage")
            .orElse(Quantity.ofBytes(0)),
        Json.text(spec, "volumeName"),
        VolumeMode.of(spec),
        spec.hasNonNull("selector")
            ? Optional.of(LabelSelector.of(spec.path("selector")))
            : Optional.empty(),
        dataSource(meta, spec),
        Json.text(spec, "volumeAttributesClassName"),
        attributesClasses(spec, status),
        switch (Json.text(status, "phase")) {
          case "Bound" -> Phase.BOUND;
          case "Lost" -> Phase.LOST;
          case String _ -> Phase.PENDING;
        },
        Json.quantity(status.path("capacity"), "storage"),
        accessModes(status),
        ClaimGrowth.of(status),
        Json.text(status, "currentVolumeAttributesClassName"),
        ClaimModification.of(status),
        meta.hasAnnotation(Annotations.SELECTED_NODE)
            ? Written.annotation(object, Annotations.SELECTED_NODE)
            : Optional.empty(),
        Json.list(status.path("conditions"), ClaimCondition::of),
        ClaimHealth.of(status));
  }

  private static Set<String> attributesClasses(JsonNode spec, JsonNode status) {
    return Stream.of(
            Json.text(spec, "volumeAttributesClassName"),
            Json.text(status, "currentVolumeAttributesClassName"),
            Json.text(status.path("modifyVolumeStatus"), "targetVolumeAttributesClassName"))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private static Optional<DataSource> dataSource(Meta meta, JsonNode spec) {
    var source =
        spec.hasNonNull("dataSource") ? spec.path("dataSource") : spec.path("dataSourceRef");
    if (source.isMissingNode() || source.isNull()) return Optional.empty();
    var namespace = Json.text(source, "namespace");
    return Optional.of(
        new DataSource(
            Json.text(source, "apiGroup"),
            Json.text(source, "kind"),
            namespace.isEmpty() ? meta.namespace() : namespace,
            Json.text(source, "name"),
            !namespace.isEmpty()));
  }

  static Set<AccessMode> accessModes(JsonNode parent) {
    var modes = new LinkedHashSet<AccessMode>();
    parent.path("accessModes").forEach(mode -> modes.add(AccessMode.of(mode.asText())));
    return modes;
  }

  public Ref ref() {
    return Ref.of(Resources.CLAIMS, meta);
  }

  /// The condition of a type, one of [ClaimCondition]'s constants; empty: it has none.
  public Optional<ClaimCondition> condition(String type) {
    return conditions.stream().filter(it -> it.type().equals(type)).findFirst();
  }

  /// Whether something is said to be wrong with its volume.
  public boolean isUnwell() {
    return !health.conditions().isEmpty();
  }

  /// Whether binding has finished once: the annotation's presence counts, not its value.
  public boolean bindCompleted() {
    return meta.hasAnnotation(Annotations.BIND_COMPLETED);
  }

  /// Bound for good as the scheduler sees it; the phase does not count (SCHED-11).
  public boolean fullyBound() {
    return !volumeName.isEmpty() && bindCompleted();
  }

  /// The node chosen for a claim that waits for its first consumer.
  public Optional<String> selectedNode() {
    return meta.annotation(Annotations.SELECTED_NODE).filter(node -> !node.isEmpty());
  }
}

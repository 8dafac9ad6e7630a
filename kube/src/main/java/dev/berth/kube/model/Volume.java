package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A PersistentVolume.
///
/// @param accessModes in the author's order: the first is what the driver hears of (NCSI-06)
/// @param claim whom it is bound to or reserved for
/// @param className the legacy annotation before the field; empty: none
/// @param csi empty: the volume is not a CSI driver's
/// @param place empty: it is no place of a machine
/// @param nodeAffinity empty: every node reaches it
/// @param attributesClassName empty: none
/// @param phaseSince `status.lastPhaseTransitionTime`, which the server keeps (API-01)
public record Volume(
    Meta meta,
    Quantity capacity,
    Set<AccessMode> accessModes,
    Optional<ClaimRef> claim,
    String className,
    VolumeMode volumeMode,
    ReclaimPolicy reclaimPolicy,
    Optional<CsiSource> csi,
    Optional<Place> place,
    Optional<NodeSelector> nodeAffinity,
    List<String> mountOptions,
    String attributesClassName,
    Phase phase,
    Optional<Instant> phaseSince)
    implements KubeObject {
  public Volume {
    accessModes = Collections.unmodifiableSet(new LinkedHashSet<>(accessModes));
    mountOptions = List.copyOf(mountOptions);
  }

  /// `status.phase`.
  public enum Phase {
    PENDING,
    AVAILABLE,
    BOUND,
    RELEASED,
    FAILED
  }

  /// What becomes of the volume when its claim has gone.
  public enum ReclaimPolicy {
    RETAIN,
    DELETE,
    RECYCLE,
    /// Something that Kubernetes does not define (RECL-04).
    UNKNOWN;

    /// As it is spelled.
    public String text() {
      return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
  }

  /// @param uid empty: reserved by name, the claim has not been seen yet
  public record ClaimRef(ObjectKey key, String uid) {
    /// Whether it names this claim: the same name, and the same uid unless it names none (BIND-22).
    public boolean names(Claim claim) {
      return key.equals(claim.meta().key()) && (uid.isEmpty() || uid.equals(claim.meta().uid()));
    }
  }

  /// @param fsType empty: the driver chooses
  /// @param attributes what the driver told at creation; for the driver only
  public record CsiSource(
      String driver,
      String handle,
      boolean readOnly,
      String fsType,
      Map<String, String> attributes,
      Optional<SecretRef> controllerPublishSecret,
      Optional<SecretRef> nodeStageSecret,
      Optional<SecretRef> nodePublishSecret,
      Optional<SecretRef> controllerExpandSecret,
      Optional<SecretRef> nodeExpandSecret) {
    public CsiSource {
      attributes = Map.copyOf(attributes);
    }
  }

  /// A place of a machine that is a volume: `local` or `hostPath`.
  ///
  /// @param type what has to be there, as `hostPath.type` has it
  /// @param owned whether its files are given to a pod's group: those of `local` are
  public record Place(String path, String type, boolean owned) {
    static final String DIRECTORY = "Directory";
  }

  /// Names a Secret; never holds its content.
  public record SecretRef(String namespace, String name) {
    public ObjectKey key() {
      return ObjectKey.of(namespace, name);
    }
  }

  static Volume of(JsonNode object) {
    var meta = Meta.of(object);
    var spec = object.path("spec");
    return new Volume(
        meta,
        Json.quantity(spec.path("capacity"), "storage").orElse(Quantity.ofBytes(0)),
        Claim.accessModes(spec),
        claimRef(spec.path("claimRef")),
        meta.annotation(Annotations.BETA_STORAGE_CLASS)
            .orElseGet(() -> Json.text(spec, "storageClassName")),
        VolumeMode.of(spec),
        switch (Json.text(spec, "persistentVolumeReclaimPolicy")) {
          case "Retain", "" -> ReclaimPolicy.RETAIN;
          case "Delete" -> ReclaimPolicy.DELETE;
          case "Recycle" -> ReclaimPolicy.RECYCLE;
          case String _ -> ReclaimPolicy.UNKNOWN;
        },
        csi(spec.path("csi")),
        place(spec),
        spec.path("nodeAffinity").hasNonNull("required")
            ? Optional.of(NodeSelector.of(spec.path("nodeAffinity").path("required")))
            : Optional.empty(),
        Json.list(spec.path("mountOptions"), JsonNode::asText),
        Json.text(spec, "volumeAttributesClassName"),
        switch (Json.text(object.path("status"), "phase")) {
          case "Available" -> Phase.AVAILABLE;
          case "Bound" -> Phase.BOUND;
          case "Released" -> Phase.RELEASED;
          case "Failed" -> Phase.FAILED;
          case String _ -> Phase.PENDING;
        },
        Json.instant(object.path("status"), "lastPhaseTransitionTime"));
  }

  private static Optional<ClaimRef> claimRef(JsonNode ref) {
    if (ref.isMissingNode() || ref.isNull()) return Optional.empty();
    return Optional.of(
        new ClaimRef(
            ObjectKey.of(Json.text(ref, "namespace"), Json.text(ref, "name")),
            Json.text(ref, "uid")));
  }

  private static Optional<CsiSource> csi(JsonNode csi) {
    if (csi.isMissingNode() || csi.isNull()) return Optional.empty();
    return Optional.of(
        new CsiSource(
            Json.text(csi, "driver"),
            Json.text(csi, "volumeHandle"),
            csi.path("readOnly").asBoolean(),
            Json.text(csi, "fsType"),
            Json.texts(csi.path("volumeAttributes")),
            secret(csi.path("controllerPublishSecretRef")),
            secret(csi.path("nodeStageSecretRef")),
            secret(csi.path("nodePublishSecretRef")),
            secret(csi.path("controllerExpandSecretRef")),
            secret(csi.path("nodeExpandSecretRef"))));
  }

  private static Optional<Place> place(JsonNode spec) {
    var local = spec.path("local");
    var host = spec.path("hostPath");
    if (local.isObject())
      return Optional.of(new Place(Json.text(local, "path"), Place.DIRECTORY, true));
    return host.isObject()
        ? Optional.of(new Place(Json.text(host, "path"), Json.text(host, "type"), false))
        : Optional.empty();
  }

  private static Optional<SecretRef> secret(JsonNode ref) {
    var name = Json.text(ref, "name");
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(Json.text(ref, "namespace"), name));
  }

  public Ref ref() {
    return Ref.of(Resources.VOLUMES, meta);
  }
}

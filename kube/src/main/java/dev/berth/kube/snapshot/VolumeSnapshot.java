package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.time.Instant;
import java.util.Optional;

/// A VolumeSnapshot: that a claim be snapshot, or a place for a snapshot that exists already.
///
/// @param className empty: none is named
/// @param claimName claim of its namespace of which it is taken; empty: it is of a content
/// @param contentName content that exists already; empty: it is taken of a claim
/// @param status empty: nobody has written one
public record VolumeSnapshot(
    Meta meta,
    Optional<String> className,
    Optional<String> claimName,
    Optional<String> contentName,
    Optional<Status> status)
    implements KubeObject {

  /// @param boundContent `boundVolumeSnapshotContentName`; empty: none
  /// @param creationTime moment that the snapshot shows
  /// @param readyToUse empty: not said
  /// @param restoreSize smallest size of a volume made from it; empty: not known
  /// @param groupSnapshotName `volumeGroupSnapshotName`; empty: it was taken alone
  public record Status(
      String boundContent,
      Optional<Instant> creationTime,
      Optional<Boolean> readyToUse,
      Optional<Quantity> restoreSize,
      Optional<SnapshotError> error,
      String groupSnapshotName) {
    /// As where nobody has written one.
    public static final Status NONE =
        new Status("", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "");
  }

  static VolumeSnapshot of(JsonNode object) {
    var spec = object.path("spec");
    return new VolumeSnapshot(
        Meta.of(object),
        Json.optionalText(spec, "volumeSnapshotClassName"),
        Json.optionalText(spec.path("source"), "persistentVolumeClaimName"),
        Json.optionalText(spec.path("source"), "volumeSnapshotContentName"),
        object.path("status").isObject()
            ? Optional.of(status(object.path("status")))
            : Optional.empty());
  }

  private static Status status(JsonNode status) {
    return new Status(
        Json.text(status, "boundVolumeSnapshotContentName"),
        Json.instant(status, "creationTime"),
        Json.flag(status, "readyToUse"),
        Json.quantity(status, "restoreSize"),
        SnapshotError.in(status),
        Json.text(status, "volumeGroupSnapshotName"));
  }

  public Ref ref() {
    return Ref.of(SnapshotResources.SNAPSHOTS, meta);
  }

  /// Its status, as empty as can be where it has none.
  public Status shown() {
    return status.orElse(Status.NONE);
  }

  /// `status.boundVolumeSnapshotContentName`.
  public Optional<String> boundContent() {
    return Optional.of(shown().boundContent()).filter(name -> !name.isEmpty());
  }

  /// Whether a volume can be made from it: it says so, and names its content (SNAP-24).
  public boolean isReady() {
    return shown().readyToUse().orElse(false) && boundContent().isPresent();
  }
}

package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.OptionalLong;

/// A VolumeSnapshotContent: a snapshot on a storage system.
///
/// @param snapshot whose it is
/// @param className empty: none is named, or it was taken with others
/// @param volumeHandle the driver's name for the volume of which it is taken; empty: it exists
///   already
/// @param snapshotHandle the driver's name for a snapshot that exists already (`spec.source`);
///   empty: it is to be taken
/// @param sourceVolumeMode such as `Filesystem`; empty: not known (SNAP-80)
/// @param status empty: nobody has written one
public record SnapshotContent(
    Meta meta,
    SnapshotRef snapshot,
    DeletionPolicy deletionPolicy,
    String driver,
    Optional<String> className,
    Optional<String> volumeHandle,
    Optional<String> snapshotHandle,
    Optional<String> sourceVolumeMode,
    Optional<Status> status)
    implements KubeObject {

  /// @param snapshotHandle the driver's name for the snapshot; empty: not known
  /// @param creationTime moment that it shows, in nanoseconds since 1970
  /// @param restoreSize smallest size in bytes of a volume made from it; 0 or empty: not known
  /// @param readyToUse empty: not said
  /// @param groupHandle the driver's name for the group that it was taken with; empty: alone
  public record Status(
      Optional<String> snapshotHandle,
      OptionalLong creationTime,
      OptionalLong restoreSize,
      Optional<Boolean> readyToUse,
      Optional<SnapshotError> error,
      Optional<String> groupHandle) {
    /// As where nobody has written one.
    public static final Status NONE =
        new Status(
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }

  static SnapshotContent of(JsonNode object) {
    var spec = object.path("spec");
    return new SnapshotContent(
        Meta.of(object),
        SnapshotRef.of(spec.path("volumeSnapshotRef")),
        DeletionPolicy.of(Json.text(spec, "deletionPolicy")),
        Json.text(spec, "driver"),
        Json.optionalText(spec, "volumeSnapshotClassName"),
        Json.optionalText(spec.path("source"), "volumeHandle"),
        Json.optionalText(spec.path("source"), "snapshotHandle"),
        Json.optionalText(spec, "sourceVolumeMode"),
        object.path("status").isObject()
            ? Optional.of(status(object.path("status")))
            : Optional.empty());
  }

  private static Status status(JsonNode status) {
    return new Status(
        Json.optionalText(status, "snapshotHandle"),
        Json.number(status, "creationTime"),
        Json.number(status, "restoreSize"),
        Json.flag(status, "readyToUse"),
        SnapshotError.in(status),
        Json.optionalText(status, "volumeGroupSnapshotHandle"));
  }

  /// Name of the content of a snapshot that is taken of a claim (SNAP-27).
  public static String name(String snapshotUid) {
    return "snapcontent-" + snapshotUid;
  }

  public Ref ref() {
    return Ref.of(SnapshotResources.CONTENTS, meta);
  }

  /// Its status, as empty as can be where it has none.
  public Status shown() {
    return status.orElse(Status.NONE);
  }

  public boolean isReady() {
    return shown().readyToUse().orElse(false);
  }

  /// The driver's name for the snapshot, where it is known.
  public Optional<String> handle() {
    return shown().snapshotHandle().filter(handle -> !handle.isEmpty());
  }

  /// Whether it is one of a group, which is deleted as a whole (SNAP-56).
  public boolean isGroupMember() {
    return meta.hasAnnotation(SnapshotAnnotations.GROUP_HANDLE);
  }
}

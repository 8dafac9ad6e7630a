package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A VolumeGroupSnapshotContent: snapshots of several volumes on a storage system, taken at one
/// moment.
///
/// @param snapshot whose it is
/// @param className empty: none is named
/// @param volumeHandles the driver's names for the volumes of which it is taken; empty: it exists
///   already
/// @param handles the driver's names for a group that exists already; empty: it is to be taken
/// @param status empty: nobody has written one
public record GroupContent(
    Meta meta,
    SnapshotRef snapshot,
    DeletionPolicy deletionPolicy,
    String driver,
    Optional<String> className,
    Optional<List<String>> volumeHandles,
    Optional<Handles> handles,
    Optional<Status> status)
    implements KubeObject {
  public GroupContent {
    volumeHandles = volumeHandles.map(List::copyOf);
  }

  /// @param group the driver's name for the group
  /// @param snapshots its names for the snapshots in it
  public record Handles(String group, List<String> snapshots) {
    public Handles {
      snapshots = List.copyOf(snapshots);
    }
  }

  /// @param groupHandle the driver's name for the group; empty: not known
  /// @param creationTime moment that the snapshots show
  /// @param readyToUse empty: not said
  /// @param members what is known of each snapshot; empty: nothing
  public record Status(
      Optional<String> groupHandle,
      Optional<Instant> creationTime,
      Optional<Boolean> readyToUse,
      Optional<SnapshotError> error,
      List<Member> members) {
    /// As where nobody has written one.
    public static final Status NONE =
        new Status(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public Status {
      members = List.copyOf(members);
    }
  }

  /// One snapshot of a group.
  ///
  /// @param creationTime in nanoseconds since 1970
  /// @param restoreSize in bytes; 0 or empty: not known
  public record Member(
      String volumeHandle,
      String snapshotHandle,
      OptionalLong creationTime,
      Optional<Boolean> readyToUse,
      OptionalLong restoreSize) {}

  static GroupContent of(JsonNode object) {
    var spec = object.path("spec");
    var source = spec.path("source");
    return new GroupContent(
        Meta.of(object),
        SnapshotRef.of(spec.path("volumeGroupSnapshotRef")),
        DeletionPolicy.of(Json.text(spec, "deletionPolicy")),
        Json.text(spec, "driver"),
        Json.optionalText(spec, "volumeGroupSnapshotClassName"),
        source.hasNonNull("volumeHandles")
            ? Optional.of(Json.list(source.path("volumeHandles"), JsonNode::asText))
            : Optional.empty(),
        handles(source.path("groupSnapshotHandles")),
        object.path("status").isObject()
            ? Optional.of(status(object.path("status")))
            : Optional.empty());
  }

  private static Optional<Handles> handles(JsonNode handles) {
    if (!handles.isObject()) return Optional.empty();
    return Optional.of(
        new Handles(
            Json.text(handles, "volumeGroupSnapshotHandle"),
            Json.list(handles.path("volumeSnapshotHandles"), JsonNode::asText)));
  }

  private static Status status(JsonNode status) {
    return new Status(
        Json.optionalText(status, "volumeGroupSnapshotHandle"),
        Json.instant(status, "creationTime"),
        Json.flag(status, "readyToUse"),
        SnapshotError.in(status),
        Json.list(
            status.path("volumeSnapshotInfoList"),
            member ->
                new Member(
                    Json.text(member, "volumeHandle"),
                    Json.text(member, "snapshotHandle"),
                    Json.number(member, "creationTime"),
                    Json.flag(member, "readyToUse"),
                    Json.number(member, "restoreSize"))));
  }

  /// Name of the content of a group that is taken of claims (SNAP-71).
  public static String name(String groupSnapshotUid) {
    return "groupsnapcontent-" + groupSnapshotUid;
  }

  public Ref ref() {
    return Ref.of(SnapshotResources.GROUP_CONTENTS, meta);
  }

  /// Its status, as empty as can be where it has none.
  public Status shown() {
    return status.orElse(Status.NONE);
  }

  public boolean isReady() {
    return shown().readyToUse().orElse(false);
  }

  /// The driver's name for the group, where it is known.
  public Optional<String> handle() {
    return shown().groupHandle().filter(handle -> !handle.isEmpty());
  }
}

package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_SNAPSHOTS;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.GET_VOLUME_GROUP_SNAPSHOT;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/// Snapshots of several volumes at one moment.
final class Groups {
  private static final Ability GROUPS = CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ";

  static List<Check> checks() {
    return List.of(
        check(
                "group.no-name",
                "A group snapshot without a name is refused",
                MISSING + "CreateVolumeGroupSnapshot: name is REQUIRED")
            .covers("SAN-78")
            .needs(GROUPS)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME_GROUP_SNAPSHOT,
                trial -> trial.requests().group(List.of(Requests.UNKNOWN_ID)).clearName().build()),
        check(
                "group.no-sources",
                "A group snapshot of no volumes is refused",
                MISSING + "CreateVolumeGroupSnapshot: source_volume_ids is REQUIRED, at least one")
            .needs(GROUPS)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME_GROUP_SNAPSHOT,
                trial -> trial.requests().group(List.of()).build()),
        check(
                "group.unknown-source",
                "A group snapshot of a volume that does not exist is NOT_FOUND, and nothing is cut",
                "CreateVolumeGroupSnapshot: an error before all are cut leaves no snapshots behind;"
                    + " what does not exist is NOT_FOUND in every table of errors")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("look all volumes up before the first is cut", Groups::unknownSource),
        check(
                "group.created",
                "A group snapshot has a member for each volume, an id and a time",
                "VolumeGroupSnapshot: group_snapshot_id, snapshots, creation_time are REQUIRED; a"
                    + " member's group_snapshot_id MUST be that of the group")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("fill in the fields that are REQUIRED, in each member too", Groups::created),
        check(
                "group.again",
                "The same volumes in another order give the same group snapshot",
                "CreateVolumeGroupSnapshot: MUST be idempotent; the group snapshot MUST only be"
                    + " created once")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("look the group up by its name, and compare its volumes as a set", Groups::again),
        check(
                "group.other-sources",
                "The same name for other volumes is refused",
                "CreateVolumeGroupSnapshot Errors: ALREADY_EXISTS, if the group is incompatible"
                    + " with source_volume_ids")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .refuses(
                ALREADY_EXISTS,
                CREATE_VOLUME_GROUP_SNAPSHOT,
                trial -> {
                  var request = trial.requests().group(twoVolumes(trial));
                  trial.ok(CREATE_VOLUME_GROUP_SNAPSHOT, request.build());
                  return request.addSourceVolumeIds(trial.volume().getVolumeId()).build();
                }),
        check(
                "group.listed",
                "Members of a group are listed with the group's id",
                "Snapshot: group_snapshot_id MUST be given for a snapshot that belongs to a group"
                    + " and cannot be deleted alone")
            .needs(CREATE_DELETE_VOLUME, GROUPS, LIST_SNAPSHOTS)
            .asks("list members with group_snapshot_id", Groups::listed),
        check(
                "group.restored",
                "A volume is made from one member",
                "CreateVolumeGroupSnapshot: the members are snapshots, which can be restored"
                    + " one by one")
            .needs(CREATE_DELETE_VOLUME, GROUPS, Ability.CREATE_DELETE_SNAPSHOT)
            .asks(
                "accept a member's id as source",
                trial -> {
                  var member = group(trial).getSnapshots(0);
                  trial.volume(Sources.from(trial, Sources.ofSnapshot(member.getSnapshotId())));
                }),
        check(
                "group.get-no-id",
                "Getting a group snapshot without an id is refused",
                MISSING + "GetVolumeGroupSnapshot: group_snapshot_id is REQUIRED")
            .covers("SAN-79")
            .needs(GROUPS)
            .refuses(
                INVALID_ARGUMENT,
                GET_VOLUME_GROUP_SNAPSHOT,
                _ -> GetVolumeGroupSnapshotRequest.getDefaultInstance()),
        check(
                "group.get-unknown",
                "Getting a group snapshot that does not exist is NOT_FOUND",
                "GetVolumeGroupSnapshot Errors: NOT_FOUND, if the group snapshot does not exist")
            .covers("SAN-80")
            .needs(GROUPS)
            .refuses(
                NOT_FOUND,
                GET_VOLUME_GROUP_SNAPSHOT,
                _ ->
                    GetVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(Requests.UNKNOWN_ID)
                        .build()),
        check(
                "group.get",
                "Getting a group snapshot gives it as it was made",
                "GetVolumeGroupSnapshot: the answer holds the current state of the group")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("answer with the group of the id", Groups::get),
        check(
                "group.get-mismatch",
                "Getting a group snapshot by other members is refused",
                "GetVolumeGroupSnapshot Errors: INVALID_ARGUMENT for a mismatch of snapshot_ids"
                    + " that is detected")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .refuses(
                INVALID_ARGUMENT,
                GET_VOLUME_GROUP_SNAPSHOT,
                trial ->
                    GetVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group(trial).getGroupSnapshotId())
                        .addSnapshotIds(Requests.UNKNOWN_ID)
                        .build()),
        check(
                "group.delete-no-id",
                "Deleting a group snapshot without an id is refused",
                MISSING + "DeleteVolumeGroupSnapshot: group_snapshot_id is REQUIRED")
            .covers("SAN-81")
            .needs(GROUPS)
            .refuses(
                INVALID_ARGUMENT,
                DELETE_VOLUME_GROUP_SNAPSHOT,
                _ -> DeleteVolumeGroupSnapshotRequest.getDefaultInstance()),
        check(
                "group.delete-unknown",
                "Deleting a group snapshot that does not exist succeeds",
                "DeleteVolumeGroupSnapshot: if the group does not exist, the plugin MUST reply OK")
            .covers("SAN-82")
            .needs(GROUPS)
            .asks(
                "take a group that is not there for one that was deleted",
                trial ->
                    trial.ok(
                        DELETE_VOLUME_GROUP_SNAPSHOT,
                        DeleteVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(Requests.UNKNOWN_ID)
                            .build())),
        check(
                "group.delete-mismatch",
                "Deleting a group snapshot by other members is refused, and nothing is deleted",
                "DeleteVolumeGroupSnapshot: MUST report an error for snapshot_ids that do not"
                    + " match, if it can tell; INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("compare snapshot_ids with the group before anything is deleted", Groups::kept),
        check(
                "group.delete-again",
                "A group snapshot is deleted with its members, and deleted again",
                "DeleteVolumeGroupSnapshot: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, GROUPS)
            .asks("answer OK if nothing of the group is left", Groups::deleted));
  }

  private static List<String> twoVolumes(Trial trial) {
    return List.of(trial.volume().getVolumeId(), trial.volume().getVolumeId());
  }

  private static VolumeGroupSnapshot group(Trial trial) {
    return trial
        .ok(CREATE_VOLUME_GROUP_SNAPSHOT, trial.requests().group(twoVolumes(trial)).build())
        .getGroupSnapshot();
  }

  private static List<String> ids(VolumeGroupSnapshot group) {
    return group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
  }

  private static DeleteVolumeGroupSnapshotRequest.Builder deletion(VolumeGroupSnapshot group) {
    return DeleteVolumeGroupSnapshotRequest.newBuilder()
        .setGroupSnapshotId(group.getGroupSnapshotId())
        .addAllSnapshotIds(ids(group));
  }

  private static GetVolumeGroupSnapshotRequest asked(VolumeGroupSnapshot group) {
    return GetVolumeGroupSnapshotRequest.newBuilder()
        .setGroupSnapshotId(group.getGroupSnapshotId())
        .addAllSnapshotIds(ids(group))
        .build();
  }

  private static void unknownSource(Trial trial) {
    var volume = trial.volume().getVolumeId();
    trial.refused(
        CREATE_VOLUME_GROUP_SNAPSHOT,
        trial.requests().group(List.of(volume, Requests.UNKNOWN_ID)).build(),
        NOT_FOUND);
    if (!trial.advertised().has(LIST_SNAPSHOTS)) return;
    var left =
        SnapshotLists.all(trial, ListSnapshotsRequest.newBuilder().setSourceVolumeId(volume));
    trial.require(left.isEmpty(), "no snapshot of the volumes that exist", left);
  }

  private static void created(Trial trial) {
    var volumes = twoVolumes(trial);
    var group =
        trial
            .ok(CREATE_VOLUME_GROUP_SNAPSHOT, trial.requests().group(volumes).build())
            .getGroupSnapshot();
    trial.require(!group.getGroupSnapshotId().isEmpty(), "a group_snapshot_id", "an empty one");
    trial.require(group.getCreationTime().getSeconds() > 0, "creation_time", "none");
    var sources =
        group.getSnapshotsList().stream()
            .map(Snapshot::getSourceVolumeId)
            .collect(Collectors.toSet());
    trial.require(
        sources.equals(new HashSet<>(volumes)) && group.getSnapshotsCount() == volumes.size(),
        "one member for each of " + volumes,
        group.getSnapshotsList());
    for (var member : group.getSnapshotsList()) {
      trial.require(
          member.getGroupSnapshotId().equals(group.getGroupSnapshotId()),
          "group_snapshot_id " + group.getGroupSnapshotId(),
          member);
      trial.require(member.getCreationTime().getSeconds() > 0, "creation_time", member);
      trial.require(
          member.getReadyToUse() || !group.getReadyToUse(),
          "a group that is ready only when its members are",
          member);
    }
  }

  private static void again(Trial trial) {
    var volumes = twoVolumes(trial);
    var request = trial.requests().group(volumes);
    var first = trial.ok(CREATE_VOLUME_GROUP_SNAPSHOT, request.build()).getGroupSnapshot();
    request.clearSourceVolumeIds().addAllSourceVolumeIds(volumes.reversed());
    var second = trial.ok(CREATE_VOLUME_GROUP_SNAPSHOT, request.build()).getGroupSnapshot();
    trial.require(
        first.getGroupSnapshotId().equals(second.getGroupSnapshotId())
            && new HashSet<>(ids(first)).equals(new HashSet<>(ids(second))),
        "the group of the first answer: " + first,
        second);
  }

  private static void listed(Trial trial) {
    var group = group(trial);
    for (var member : group.getSnapshotsList()) {
      var found =
          SnapshotLists.all(
              trial, ListSnapshotsRequest.newBuilder().setSnapshotId(member.getSnapshotId()));
      trial.require(
          found.size() == 1
              && found.getFirst().getGroupSnapshotId().equals(group.getGroupSnapshotId()),
          "one entry with group_snapshot_id " + group.getGroupSnapshotId(),
          found);
    }
  }

  private static void get(Trial trial) {
    var group = group(trial);
    var got = trial.ok(GET_VOLUME_GROUP_SNAPSHOT, asked(group)).getGroupSnapshot();
    trial.require(
        got.getGroupSnapshotId().equals(group.getGroupSnapshotId())
            && new HashSet<>(ids(got)).equals(new HashSet<>(ids(group)))
            && got.getCreationTime().equals(group.getCreationTime()),
        "the group as it was made: " + group,
        got);
  }

  private static void kept(Trial trial) {
    var group = group(trial);
    trial.refused(
        DELETE_VOLUME_GROUP_SNAPSHOT,
        deletion(group).clearSnapshotIds().addSnapshotIds(Requests.UNKNOWN_ID).build(),
        INVALID_ARGUMENT);
    trial.ok(GET_VOLUME_GROUP_SNAPSHOT, asked(group));
  }

  private static void deleted(Trial trial) {
    var group = group(trial);
    trial.ok(DELETE_VOLUME_GROUP_SNAPSHOT, deletion(group).build());
    trial.ok(DELETE_VOLUME_GROUP_SNAPSHOT, deletion(group).build());
    trial.refused(GET_VOLUME_GROUP_SNAPSHOT, asked(group), NOT_FOUND);
  }

  private Groups() {}
}

package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.GET_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.GetSnapshotRequest;
import java.util.List;

/// Making, getting and deleting snapshots of single volumes.
final class Snapshots {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ";

  static List<Check> checks() {
    return List.of(
        check(
                "snapshot.no-name",
                "A snapshot without a name is refused",
                MISSING + "CreateSnapshot: name is REQUIRED")
            .covers("SAN-63")
            .needs(CREATE_DELETE_SNAPSHOT)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_SNAPSHOT,
                trial -> trial.requests().snapshot(Requests.UNKNOWN_ID).clearName().build()),
        check(
                "snapshot.no-source",
                "A snapshot without a source is refused",
                MISSING + "CreateSnapshot: source_volume_id is REQUIRED")
            .covers("SAN-64")
            .needs(CREATE_DELETE_SNAPSHOT)
            .refuses(
                INVALID_ARGUMENT, CREATE_SNAPSHOT, trial -> trial.requests().snapshot("").build()),
        check(
                "snapshot.unknown-source",
                "A snapshot of a volume that does not exist is NOT_FOUND",
                "CreateSnapshot: cuts a snapshot of a volume; what does not exist is NOT_FOUND in"
                    + " every table of errors")
            .needs(CREATE_DELETE_SNAPSHOT)
            .refuses(
                NOT_FOUND,
                CREATE_SNAPSHOT,
                trial -> trial.requests().snapshot(Requests.UNKNOWN_ID).build()),
        check(
                "snapshot.created",
                "A snapshot has an id, its source, and the time of its cut",
                "Snapshot: snapshot_id, source_volume_id and creation_time are REQUIRED; size_bytes"
                    + " MUST NOT be negative")
            .covers("SAN-50")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks("fill in the fields that are REQUIRED", Snapshots::created),
        check(
                "snapshot.again",
                "The same request again gives the same snapshot",
                "CreateSnapshot: MUST be idempotent; creation_time is that of the cut")
            .covers("SAN-65")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "look the snapshot up by its name and answer as the first time",
                trial -> {
                  var volume = trial.volume();
                  var request = trial.requests().snapshot(volume.getVolumeId()).build();
                  var first = trial.ok(CREATE_SNAPSHOT, request).getSnapshot();
                  var second = trial.ok(CREATE_SNAPSHOT, request).getSnapshot();
                  trial.require(
                      first.getSnapshotId().equals(second.getSnapshotId())
                          && first.getCreationTime().equals(second.getCreationTime()),
                      "id and time of the first answer: " + first,
                      second);
                }),
        check(
                "snapshot.other-source",
                "The same name for another volume is refused",
                "CreateSnapshot Errors: ALREADY_EXISTS, if the snapshot of this name is of another"
                    + " volume")
            .covers("SAN-66")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .refuses(
                ALREADY_EXISTS,
                CREATE_SNAPSHOT,
                trial -> {
                  var request = trial.requests().snapshot(trial.volume().getVolumeId());
                  trial.ok(CREATE_SNAPSHOT, request.build());
                  return request.setSourceVolumeId(trial.volume().getVolumeId()).build();
                }),
        check(
                "snapshot.delete-no-id",
                "Deleting without an id is refused",
                MISSING + "DeleteSnapshot: snapshot_id is REQUIRED")
            .covers("SAN-60")
            .needs(CREATE_DELETE_SNAPSHOT)
            .refuses(
                INVALID_ARGUMENT, DELETE_SNAPSHOT, _ -> DeleteSnapshotRequest.getDefaultInstance()),
        check(
                "snapshot.delete-unknown",
                "Deleting a snapshot that does not exist succeeds",
                "DeleteSnapshot: if the snapshot does not exist, the plugin MUST reply OK")
            .covers("SAN-61")
            .needs(CREATE_DELETE_SNAPSHOT)
            .asks(
                "take a snapshot that is not there for one that was deleted",
                trial -> trial.ok(DELETE_SNAPSHOT, deletion(Requests.UNKNOWN_ID))),
        check(
                "snapshot.delete-again",
                "A snapshot is deleted, and deleted again",
                "DeleteSnapshot: MUST be idempotent")
            .covers("SAN-62")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "answer OK if nothing of the snapshot is left",
                trial -> {
                  var id = trial.snapshot(trial.volume()).getSnapshotId();
                  trial.ok(DELETE_SNAPSHOT, deletion(id));
                  trial.ok(DELETE_SNAPSHOT, deletion(id));
                }),
        check(
                "snapshot.outlives",
                "Snapshots survive their volume, or keep it",
                "DeleteVolume: existing snapshots MUST stay fully operational as sources and"
                    + " listed; or FAILED_PRECONDITION and the volume is not altered")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "keep the data of snapshots apart from the volume, or refuse to delete it",
                Snapshots::outlives),
        check(
                "snapshot.get-no-id",
                "Getting a snapshot without an id is refused",
                MISSING + "GetSnapshot: snapshot_id is REQUIRED")
            .covers("SAN-57")
            .needs(GET_SNAPSHOT)
            .refuses(
                INVALID_ARGUMENT, Rpcs.GET_SNAPSHOT, _ -> GetSnapshotRequest.getDefaultInstance()),
        check(
                "snapshot.get-unknown",
                "Getting a snapshot that does not exist is NOT_FOUND",
                "GetSnapshot Errors: NOT_FOUND, if the snapshot does not exist")
            .covers("SAN-59")
            .needs(GET_SNAPSHOT)
            .refuses(
                NOT_FOUND,
                Rpcs.GET_SNAPSHOT,
                _ -> GetSnapshotRequest.newBuilder().setSnapshotId(Requests.UNKNOWN_ID).build()),
        check(
                "snapshot.get",
                "Getting a snapshot gives the one that was asked for",
                "GetSnapshot: the answer holds the snapshot of snapshot_id")
            .covers("SAN-58")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, GET_SNAPSHOT)
            .asks("answer with the snapshot of the id", Snapshots::get));
  }

  static DeleteSnapshotRequest deletion(String id) {
    return DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build();
  }

  private static void created(Trial trial) {
    var volume = trial.volume();
    var snapshot = trial.snapshot(volume);
    trial.require(!snapshot.getSnapshotId().isEmpty(), "a snapshot_id", "an empty one");
    trial.require(
        snapshot.getSourceVolumeId().equals(volume.getVolumeId()),
        "source_volume_id " + volume.getVolumeId(),
        snapshot.getSourceVolumeId());
    trial.require(
        snapshot.getCreationTime().getSeconds() > 0, "creation_time", snapshot.getCreationTime());
    trial.require(
        snapshot.getSizeBytes() >= 0, "size_bytes of at least 0", snapshot.getSizeBytes());
  }

  private static void outlives(Trial trial) {
    var volume = trial.volume();
    var snapshot = trial.snapshot(volume);
    var answer = trial.send(DELETE_VOLUME, Volumes.deletion(volume.getVolumeId()));
    if (answer.code() == FAILED_PRECONDITION) {
      trial.ok(CREATE_SNAPSHOT, trial.requests().snapshot(volume.getVolumeId()).build());
      return;
    }
    trial.require(answer.ok(), "OK or FAILED_PRECONDITION", answer.code());
    trial.volume(Sources.from(trial, Sources.ofSnapshot(snapshot.getSnapshotId())));
  }

  private static void get(Trial trial) {
    var volume = trial.volume();
    trial.snapshot(volume);
    var asked = trial.snapshot(volume);
    trial.snapshot(volume);
    var got =
        trial
            .ok(
                Rpcs.GET_SNAPSHOT,
                GetSnapshotRequest.newBuilder().setSnapshotId(asked.getSnapshotId()).build())
            .getSnapshot();
    trial.require(got.equals(asked), "the snapshot as it was made: " + asked, got);
  }

  private Snapshots() {}
}

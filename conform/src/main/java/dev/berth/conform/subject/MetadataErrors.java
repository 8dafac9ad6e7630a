package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.subject.Metadata.ALL;
import static dev.berth.conform.subject.Metadata.allocated;
import static dev.berth.conform.subject.Metadata.blockVolume;
import static dev.berth.conform.subject.Metadata.delta;
import static dev.berth.conform.subject.Metadata.snapshot;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.SNAPSHOT_METADATA_SERVICE;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_ALLOCATED;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_DELTA;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OUT_OF_RANGE;

import com.google.protobuf.Message;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.DeviationException;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;

/// Which questions about blocks have no answer.
final class MetadataErrors {
  private static final Ability[] BLANK = {
    CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, SNAPSHOT_METADATA_SERVICE
  };
  private static final String ERRORS = "GetMetadataAllocated Errors: ";
  private static final String DELTA_ERRORS = "GetMetadataDelta Errors: ";
  private static final String BLOCK_ONLY =
      "Snapshot Metadata Service: data ranges are those of block volumes; an argument value that is"
          + " invalid is INVALID_ARGUMENT";

  static List<Check> checks() {
    return List.of(
        check(
                "metadata.no-id",
                "Metadata of no snapshot is refused",
                ERRORS + "INVALID_ARGUMENT, if a required field is missing")
            .needs(SNAPSHOT_METADATA_SERVICE)
            .asks(
                "look at snapshot_id first",
                trial ->
                    refused(
                        trial, GET_METADATA_ALLOCATED, allocated("").build(), INVALID_ARGUMENT)),
        check(
                "metadata.unknown",
                "Metadata of a snapshot that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the snapshot is not found")
            .needs(SNAPSHOT_METADATA_SERVICE)
            .asks(
                "look the snapshot up",
                trial ->
                    refused(
                        trial,
                        GET_METADATA_ALLOCATED,
                        allocated(Requests.UNKNOWN_ID).build(),
                        NOT_FOUND)),
        check(
                "metadata.offset",
                "An offset below 0 or beyond the snapshot is refused",
                ERRORS + "OUT_OF_RANGE, if starting_offset is negative or exceeds the volume size")
            .needs(ALL)
            .asks(
                "compare starting_offset with the size of the snapshot",
                trial -> {
                  var id = snapshot(trial).getSnapshotId();
                  for (var offset : List.of(-1L, 1L << 60))
                    refused(
                        trial,
                        GET_METADATA_ALLOCATED,
                        allocated(id).setStartingOffset(offset).build(),
                        OUT_OF_RANGE);
                }),
        check(
                "metadata.end",
                "A stream that is taken up at the very end is empty and ends well",
                ERRORS
                    + "OUT_OF_RANGE is for an offset that exceeds the volume size, not for its end")
            .needs(BLANK)
            .asks(
                "compare starting_offset with > and not with >=",
                trial -> {
                  var snapshot = trial.snapshot(blockVolume(trial));
                  var request =
                      allocated(snapshot.getSnapshotId())
                          .setStartingOffset(snapshot.getSizeBytes());
                  var end = trial.read(GET_METADATA_ALLOCATED, request.build()).end();
                  trial.require(end.ok(), "a stream that ends well", end.code());
                }),
        check("metadata.mount", "Metadata of a snapshot of a mount volume is refused", BLOCK_ONLY)
            .needs(BLANK)
            .asks(
                "keep with a snapshot whether its volume was a block volume",
                trial ->
                    refused(
                        trial,
                        GET_METADATA_ALLOCATED,
                        allocated(ofMount(trial).getSnapshotId()).build(),
                        INVALID_ARGUMENT)),
        check(
                "metadata.delta-unknown",
                "A difference to a snapshot that does not exist is NOT_FOUND",
                DELTA_ERRORS + "NOT_FOUND, if a snapshot is not found")
            .needs(ALL)
            .asks(
                "look both snapshots up",
                trial ->
                    refused(
                        trial,
                        GET_METADATA_DELTA,
                        delta(Requests.UNKNOWN_ID, snapshot(trial).getSnapshotId()).build(),
                        NOT_FOUND)),
        check(
                "metadata.delta-no-id",
                "A difference to no snapshot is refused",
                DELTA_ERRORS + "INVALID_ARGUMENT, if a required field is missing")
            .needs(SNAPSHOT_METADATA_SERVICE)
            .asks(
                "look at both ids first",
                trial ->
                    refused(trial, GET_METADATA_DELTA, delta("", "").build(), INVALID_ARGUMENT)),
        check(
                "metadata.delta-mount",
                "A difference between snapshots of a mount volume is refused",
                BLOCK_ONLY)
            .needs(BLANK)
            .asks(
                "keep with a snapshot whether its volume was a block volume",
                trial -> {
                  var id = ofMount(trial).getSnapshotId();
                  refused(trial, GET_METADATA_DELTA, delta(id, id).build(), INVALID_ARGUMENT);
                }),
        check(
                "metadata.delta-others",
                "A difference between snapshots of two volumes is refused",
                "Snapshot Metadata Service: the changed blocks between a pair of snapshots of the"
                    + " same block volume")
            .needs(BLANK)
            .asks(
                "compare the source volumes of both snapshots",
                trial -> {
                  var one = trial.snapshot(blockVolume(trial)).getSnapshotId();
                  var other = trial.snapshot(blockVolume(trial)).getSnapshotId();
                  refused(trial, GET_METADATA_DELTA, delta(one, other).build(), INVALID_ARGUMENT);
                }),
        check(
                "metadata.delta-reversed",
                "A difference to an older snapshot is refused",
                "GetMetadataDelta: base_snapshot_id was created earlier than target_snapshot_id")
            .needs(BLANK)
            .asks(
                "compare the moments at which both snapshots were cut",
                trial -> {
                  var volume = blockVolume(trial);
                  var older = trial.snapshot(volume).getSnapshotId();
                  var newer = trial.snapshot(volume).getSnapshotId();
                  refused(trial, GET_METADATA_DELTA, delta(newer, older).build(), INVALID_ARGUMENT);
                }),
        check(
                "metadata.delta-offset",
                "A difference from below 0 or from beyond the snapshot is refused",
                DELTA_ERRORS
                    + "OUT_OF_RANGE, if starting_offset is negative or exceeds the volume size")
            .needs(BLANK)
            .asks(
                "compare starting_offset with the size of the target",
                trial -> {
                  var volume = blockVolume(trial);
                  var older = trial.snapshot(volume).getSnapshotId();
                  var newer = trial.snapshot(volume).getSnapshotId();
                  for (var offset : List.of(-1L, 1L << 60))
                    refused(
                        trial,
                        GET_METADATA_DELTA,
                        delta(older, newer).setStartingOffset(offset).build(),
                        OUT_OF_RANGE);
                }));
  }

  private static <Q extends Message, A extends Message> void refused(
      Trial trial, MethodDescriptor<Q, A> rpc, Q request, Status.Code code) {
    var end = trial.read(rpc, request).end();
    if (end.code() != code)
      throw new DeviationException(code.name(), "the stream ended with " + end.code());
  }

  private static Snapshot ofMount(Trial trial) {
    var use = trial.requests().use(Access.MOUNT, Mode.SINGLE_NODE_WRITER);
    var request =
        trial.requests().volume().clearVolumeCapabilities().addVolumeCapabilities(use).build();
    var answer = trial.send(CREATE_VOLUME, request);
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException("the driver has no mount volumes");
    trial.require(answer.ok(), "OK or INVALID_ARGUMENT", answer.code());
    return trial.snapshot(answer.message().orElseThrow().getVolume());
  }

  private MetadataErrors() {}
}

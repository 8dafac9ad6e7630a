package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.asking;
import static dev.berth.conform.fault.Fault.idle;
import static dev.berth.conform.fault.Fault.once;
import static dev.berth.conform.fault.Fault.refusing;
import static dev.berth.conform.fault.Fault.streaming;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_ALLOCATED;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_DELTA;
import static dev.berth.conform.trial.Rpcs.GET_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.GET_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.LIST_SNAPSHOTS;

import dev.berth.conform.trial.Requests;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import io.grpc.Status.Code;
import java.util.List;

/// Drivers that are wrong about snapshots, groups of them, and what is made from them.
final class WrongCopies {
  static List<Row> rows() {
    return List.of(
        new Row(
            "snapshot.created",
            "a snapshot has no time",
            answering(
                CREATE_SNAPSHOT,
                CreateSnapshotResponse.Builder.class,
                it -> it.getSnapshotBuilder().clearCreationTime())),
        new Row(
            "snapshot.again",
            "the time is that of the answer",
            answering(
                CREATE_SNAPSHOT,
                CreateSnapshotResponse.Builder.class,
                (it, number) ->
                    it.getSnapshotBuilder().getCreationTimeBuilder().setSeconds(1000 + number))),
        new Row(
            "snapshot.delete-unknown",
            "an unknown snapshot is NOT_FOUND",
            refusing(
                DELETE_SNAPSHOT,
                Code.NOT_FOUND,
                DeleteSnapshotRequest.class,
                it -> it.getSnapshotId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "snapshot.delete-again",
            "a deleted snapshot is NOT_FOUND",
            once(DELETE_SNAPSHOT, Code.NOT_FOUND)),
        new Row(
            "snapshot.outlives",
            "a snapshot without its volume cannot be restored",
            refusing(
                CREATE_VOLUME,
                Code.INTERNAL,
                CreateVolumeRequest.class,
                CreateVolumeRequest::hasVolumeContentSource)),
        new Row(
            "snapshot.get",
            "getting a snapshot leaves its size out",
            answering(
                GET_SNAPSHOT,
                GetSnapshotResponse.Builder.class,
                it -> it.getSnapshotBuilder().clearSizeBytes())),
        new Row("snapshot-list.there", "the list is always empty", idle(LIST_SNAPSHOTS)),
        new Row("snapshot-list.by-id", "the id is ignored", unfiltered()),
        new Row(
            "snapshot-list.by-unknown-id",
            "an unknown id is NOT_FOUND",
            refusing(
                LIST_SNAPSHOTS,
                Code.NOT_FOUND,
                ListSnapshotsRequest.class,
                it -> it.getSnapshotId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "snapshot-list.by-source",
            "of a volume's snapshots only the first is found",
            answering(
                LIST_SNAPSHOTS,
                ListSnapshotsResponse.Builder.class,
                it -> {
                  while (it.getEntriesCount() > 1) it.removeEntries(1);
                })),
        new Row(
            "snapshot-list.by-unknown-source",
            "an unknown source is NOT_FOUND",
            refusing(
                LIST_SNAPSHOTS,
                Code.NOT_FOUND,
                ListSnapshotsRequest.class,
                it -> it.getSourceVolumeId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "snapshot-list.by-both",
            "with an id the source is ignored",
            asking(
                LIST_SNAPSHOTS,
                ListSnapshotsRequest.Builder.class,
                it -> it.clearSourceVolumeId())),
        new Row(
            "snapshot-list.pages",
            "there is never a token",
            answering(
                LIST_SNAPSHOTS, ListSnapshotsResponse.Builder.class, it -> it.clearNextToken())),
        new Row("source.snapshot", "a restored volume does not say so", silentOfItsSource()),
        new Row("source.volume", "a clone does not say so", silentOfItsSource()),
        new Row(
            "source.again",
            "a clone cannot be asked for twice",
            once(CREATE_VOLUME, Code.ALREADY_EXISTS)),
        new Row("source.data", "a restored volume is blank", blank()),
        new Row("source.clone-data", "a clone is blank", blank()),
        new Row("source.outlived", "a restored volume is blank", blank()),
        new Row(
            "source.larger",
            "a restored volume is as large as the snapshot, whatever is asked for",
            asking(
                CREATE_VOLUME,
                CreateVolumeRequest.Builder.class,
                it -> {
                  if (it.hasVolumeContentSource()) it.clearCapacityRange();
                })),
        new Row(
            "group.created",
            "a member does not know its group",
            answering(
                CREATE_VOLUME_GROUP_SNAPSHOT,
                CreateVolumeGroupSnapshotResponse.Builder.class,
                it -> it.getGroupSnapshotBuilder().getSnapshotsBuilder(0).clearGroupSnapshotId())),
        new Row(
            "group.again",
            "another order of volumes is another group",
            once(
                CREATE_VOLUME_GROUP_SNAPSHOT,
                Code.ALREADY_EXISTS,
                it -> ((CreateVolumeGroupSnapshotRequest) it).getName())),
        new Row(
            "group.listed",
            "members are listed without their group",
            answering(
                LIST_SNAPSHOTS,
                ListSnapshotsResponse.Builder.class,
                it ->
                    it.getEntriesBuilderList()
                        .forEach(entry -> entry.getSnapshotBuilder().clearGroupSnapshotId()))),
        new Row(
            "group.restored",
            "a member is no source of a volume",
            refusing(
                CREATE_VOLUME,
                Code.INVALID_ARGUMENT,
                CreateVolumeRequest.class,
                CreateVolumeRequest::hasVolumeContentSource)),
        new Row(
            "group.get",
            "getting a group tells one member too few",
            answering(
                GET_VOLUME_GROUP_SNAPSHOT,
                GetVolumeGroupSnapshotResponse.Builder.class,
                it -> it.getGroupSnapshotBuilder().removeSnapshots(0))),
        new Row(
            "group.delete-unknown",
            "an unknown group is NOT_FOUND",
            refusing(
                DELETE_VOLUME_GROUP_SNAPSHOT,
                Code.NOT_FOUND,
                DeleteVolumeGroupSnapshotRequest.class,
                it -> it.getGroupSnapshotId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "group.delete-again", "a group is never deleted", idle(DELETE_VOLUME_GROUP_SNAPSHOT)),
        new Row(
            "metadata.allocated",
            "the last block is left out",
            streaming(
                GET_METADATA_ALLOCATED, messages -> messages.subList(0, messages.size() - 1))),
        new Row(
            "metadata.max-results",
            "max_results is ignored",
            asking(
                GET_METADATA_ALLOCATED,
                GetMetadataAllocatedRequest.Builder.class,
                it -> it.clearMaxResults())),
        new Row(
            "metadata.resumed",
            "starting_offset is ignored",
            asking(
                GET_METADATA_ALLOCATED,
                GetMetadataAllocatedRequest.Builder.class,
                it -> it.clearStartingOffset())),
        new Row(
            "metadata.end",
            "the end is no place to begin",
            refusing(
                GET_METADATA_ALLOCATED,
                Code.OUT_OF_RANGE,
                GetMetadataAllocatedRequest.class,
                it -> it.getStartingOffset() > 0)),
        new Row(
            "metadata.delta",
            "nothing ever changes",
            streaming(GET_METADATA_DELTA, _ -> List.of())));
  }

  private static Fault unfiltered() {
    return asking(
        LIST_SNAPSHOTS,
        ListSnapshotsRequest.Builder.class,
        it -> it.clearSnapshotId().clearSourceVolumeId());
  }

  private static Fault silentOfItsSource() {
    return answering(
        CREATE_VOLUME,
        CreateVolumeResponse.Builder.class,
        it -> it.getVolumeBuilder().clearContentSource());
  }

  /// Makes a new volume, and says that it has the data of its source.
  private static Fault blank() {
    return Fault.in(
        CREATE_VOLUME,
        call -> {
          var request = (CreateVolumeRequest) call.request();
          var answers = call.pass(request.toBuilder().clearVolumeContentSource().build());
          if (!request.hasVolumeContentSource()) return answers;
          var answer = ((CreateVolumeResponse) answers.getFirst()).toBuilder();
          answer.getVolumeBuilder().setContentSource(request.getVolumeContentSource());
          return List.of(answer.build());
        });
  }

  private WrongCopies() {}
}

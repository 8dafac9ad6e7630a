package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_SNAPSHOTS;
import static dev.berth.conform.trial.Ability.LIST_VOLUMES;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;

import com.google.protobuf.Message;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.Snapshot;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Callers that give up: as far as a caller can tell, they have crashed and come back.
final class Interruption {
  /// When a call is given up: before it is read, while it is at work, and perhaps after.
  private static final List<Duration> MOMENTS =
      List.of(Duration.ZERO, Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofMillis(50));

  private static final String TIMEOUTS =
      "Timeouts: any call MAY time out and be retried; a retried call with the same fields"
          + " continues where it left off; only the negating call cancels; ";

  static List<Check> checks() {
    return List.of(
        check(
                "interrupted.create",
                "A CreateVolume that was given up and is made again ends in one volume",
                TIMEOUTS + "CreateVolume: not more than one volume for one name")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "finish or roll back when the caller has gone; find by its name what was begun",
                Interruption::create),
        check(
                "interrupted.delete",
                "A DeleteVolume that was given up and is made again ends in no volume",
                TIMEOUTS + "DeleteVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "go on deleting what was begun to be deleted",
                trial -> {
                  var id = trial.volume().getVolumeId();
                  interrupted(trial, Rpcs.DELETE_VOLUME, Volumes.deletion(id));
                  if (!trial.advertised().has(LIST_VOLUMES)) return;
                  var left = VolumeLists.ids(VolumeLists.all(trial, 0));
                  trial.require(!left.contains(id), "no volume " + id, left);
                }),
        check(
                "interrupted.snapshot",
                "A CreateSnapshot that was given up and is made again ends in one snapshot",
                TIMEOUTS + "CreateSnapshot: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "finish or roll back when the caller has gone; find by its name what was begun",
                Interruption::snapshot),
        check(
                "interrupted.stage",
                "A NodeStageVolume that was given up and is made again ends in a volume to use",
                TIMEOUTS + "NodeStageVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks("do not stop formatting or mounting half way", Interruption::stage),
        check(
                "interrupted.node-publish",
                "A NodePublishVolume that was given up and is made again mounts once",
                TIMEOUTS + "NodePublishVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "look at the mounts before mounting",
                trial -> {
                  var placement = trial.staged();
                  interrupted(trial, Rpcs.NODE_PUBLISH_VOLUME, placement.publishRequest().build());
                  var mounts = Contents.mountsAt(placement.target());
                  trial.require(mounts == 1, "one mount at " + placement.target(), mounts);
                  Contents.write(trial, placement, 11);
                }),
        check(
                "interrupted.node-unpublish",
                "A NodeUnpublishVolume that was given up and is made again leaves no mount",
                TIMEOUTS + "NodeUnpublishVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "go on unpublishing where it was left off",
                trial -> {
                  var placement = trial.published();
                  interrupted(
                      trial,
                      Rpcs.NODE_UNPUBLISH_VOLUME,
                      NodePublishing.unpublication(placement.id(), placement.target()));
                  var mounts = Contents.mountsAt(placement.target());
                  trial.require(mounts == 0, "no mount at " + placement.target(), mounts);
                }));
  }

  /// Gives a call up at several moments, then makes it until it is done.
  private static <Q extends Message, A extends Message> A interrupted(
      Trial trial, MethodDescriptor<Q, A> rpc, Q request) {
    for (var moment : MOMENTS) trial.cancelled(rpc, request, moment);
    return trial.insist(rpc, request);
  }

  private static void create(Trial trial) {
    var listing = trial.advertised().has(LIST_VOLUMES);
    var before = listing ? VolumeLists.ids(VolumeLists.all(trial, 0)) : Set.<String>of();
    var request = trial.requests().volume().build();
    var id = interrupted(trial, Rpcs.CREATE_VOLUME, request).getVolume().getVolumeId();
    var again = trial.ok(Rpcs.CREATE_VOLUME, request).getVolume().getVolumeId();
    trial.require(again.equals(id), "volume_id " + id, again);
    if (!listing) return;
    var made = new HashSet<>(VolumeLists.ids(VolumeLists.all(trial, 0)));
    made.removeAll(before);
    trial.require(made.equals(Set.of(id)), "one new volume, " + id, made);
  }

  private static void snapshot(Trial trial) {
    var volume = trial.volume().getVolumeId();
    var request = trial.requests().snapshot(volume).build();
    var id = interrupted(trial, Rpcs.CREATE_SNAPSHOT, request).getSnapshot().getSnapshotId();
    var again = trial.ok(Rpcs.CREATE_SNAPSHOT, request).getSnapshot().getSnapshotId();
    trial.require(again.equals(id), "snapshot_id " + id, again);
    if (!trial.advertised().has(LIST_SNAPSHOTS)) return;
    var made =
        SnapshotLists.all(trial, ListSnapshotsRequest.newBuilder().setSourceVolumeId(volume))
            .stream()
            .map(Snapshot::getSnapshotId)
            .collect(Collectors.toSet());
    trial.require(made.equals(Set.of(id)), "one snapshot, " + id, made);
  }

  private static void stage(Trial trial) throws IOException {
    var placement = trial.attached();
    interrupted(trial, Rpcs.NODE_STAGE_VOLUME, placement.stageRequest().build());
    trial.ok(Rpcs.NODE_PUBLISH_VOLUME, placement.publishRequest().build());
    Contents.write(trial, placement, 10);
    trial.require(Contents.holds(trial, placement, 10), "what was written", "something else");
  }

  private Interruption() {}
}

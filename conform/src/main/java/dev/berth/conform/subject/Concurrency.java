package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_VOLUMES;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;
import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.FAILED_PRECONDITION;

import com.google.protobuf.Message;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Answer;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeResponse;
import io.grpc.MethodDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Calls at the same time.
final class Concurrency {
  private static final int TIMES = 8;
  private static final String PENDING =
      "Error Scheme: if several calls for one volume come at the same time, the plugin SHOULD"
          + " handle it gracefully and MAY answer ABORTED to all but one; ";

  static List<Check> checks() {
    return List.of(
        check(
                "concurrent.create",
                "One volume comes of the same CreateVolume made eight times at once",
                PENDING + "CreateVolume: not more than one volume for one name")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "hold the name while a volume is being made, and answer ABORTED to others",
                Concurrency::create),
        check(
                "concurrent.different",
                "Volumes of different names are made at the same time",
                "Error Scheme: ABORTED is for a pending operation on the same volume")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "hold one name or id at a time, not the driver as a whole", Concurrency::different),
        check(
                "concurrent.delete",
                "A volume is deleted eight times at once",
                PENDING + "DeleteVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "hold the volume while it is being deleted, and answer ABORTED to others",
                trial -> {
                  var id = trial.volume().getVolumeId();
                  one(trial, Rpcs.DELETE_VOLUME, Volumes.deletion(id));
                }),
        check(
                "concurrent.snapshot",
                "One snapshot comes of the same CreateSnapshot made eight times at once",
                PENDING + "CreateSnapshot: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "hold the name while a snapshot is being cut, and answer ABORTED to others",
                trial -> {
                  var request = trial.requests().snapshot(trial.volume().getVolumeId()).build();
                  one(trial, Rpcs.CREATE_SNAPSHOT, request);
                }),
        check(
                "concurrent.publish",
                "A volume is published eight times at once, with one context",
                PENDING + "ControllerPublishVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, NODE_SERVICE)
            .asks(
                "hold the volume while it is being attached, and answer ABORTED to others",
                trial -> {
                  var request = trial.requests().publication(trial.volume()).build();
                  one(trial, Rpcs.CONTROLLER_PUBLISH_VOLUME, request);
                }),
        check(
                "concurrent.two-nodes",
                "A volume for one node comes to one of two that ask at once (--other-node)",
                PENDING
                    + "ControllerPublishVolume: a volume without MULTI_NODE capability that is"
                    + " published at another node is FAILED_PRECONDITION")
            .needs(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, NODE_SERVICE)
            .asks(
                "decide for which node a volume is before it is attached to any, and decide once",
                Concurrency::twoNodes),
        check(
                "concurrent.stage",
                "A volume is staged eight times at once, and mounted once",
                PENDING + "NodeStageVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks(
                "hold the volume while it is being staged, and answer ABORTED to others",
                trial -> {
                  var placement = trial.attached();
                  one(trial, Rpcs.NODE_STAGE_VOLUME, placement.stageRequest().build());
                  var mounts = Contents.mountsAt(placement.staging());
                  trial.require(mounts <= 1, "at most one mount", mounts);
                }),
        check(
                "concurrent.node-publish",
                "A volume is published at a path eight times at once, and mounted once",
                PENDING + "NodePublishVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "hold the volume while it is being published, and answer ABORTED to others",
                trial -> {
                  var placement = trial.staged();
                  one(trial, Rpcs.NODE_PUBLISH_VOLUME, placement.publishRequest().build());
                  var mounts = Contents.mountsAt(placement.target());
                  trial.require(mounts == 1, "one mount at " + placement.target(), mounts);
                }),
        check(
                "concurrent.node-unpublish",
                "A volume is unpublished from a path eight times at once",
                PENDING + "NodeUnpublishVolume: MUST be idempotent")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "hold the volume while it is being unpublished, and answer ABORTED to others",
                trial -> {
                  var placement = trial.published();
                  one(
                      trial,
                      Rpcs.NODE_UNPUBLISH_VOLUME,
                      NodePublishing.unpublication(placement.id(), placement.target()));
                  var mounts = Contents.mountsAt(placement.target());
                  trial.require(mounts == 0, "no mount at " + placement.target(), mounts);
                }));
  }

  private static void create(Trial trial) {
    var listing = trial.advertised().has(LIST_VOLUMES);
    var before = listing ? VolumeLists.ids(VolumeLists.all(trial, 0)) : new HashSet<String>();
    var request = trial.requests().volume().build();
    var id = one(trial, Rpcs.CREATE_VOLUME, request).getVolume().getVolumeId();
    if (!listing) return;
    var made = new HashSet<>(VolumeLists.ids(VolumeLists.all(trial, 0)));
    made.removeAll(before);
    trial.require(made.equals(Set.of(id)), "one new volume, " + id, made);
  }

  private static void different(Trial trial) {
    var requests =
        IntStream.range(0, TIMES).mapToObj(_ -> trial.requests().volume().build()).toList();
    var answers = trial.together(Rpcs.CREATE_VOLUME, requests);
    var codes = answers.stream().map(Answer::code).toList();
    trial.require(answers.stream().allMatch(Answer::ok), "OK to all of them", codes);
    var ids =
        answers.stream()
            .map(it -> it.message().orElseThrow().getVolume().getVolumeId())
            .distinct()
            .count();
    trial.require(ids == TIMES, TIMES + " volumes", ids);
  }

  private static void twoNodes(Trial trial) {
    var other =
        trial
            .settings()
            .extras()
            .otherNode()
            .orElseThrow(() -> new SkipException("only with --other-node"));
    var here = trial.requests().publication(trial.volume()).build();
    var there = here.toBuilder().setNodeId(other).build();
    var requests = IntStream.range(0, TIMES).mapToObj(i -> i % 2 == 0 ? here : there).toList();
    var answers = trial.together(Rpcs.CONTROLLER_PUBLISH_VOLUME, requests);
    var codes = answers.stream().map(Answer::code).toList();
    trial.require(
        answers.stream()
            .allMatch(it -> it.ok() || it.code() == ABORTED || it.code() == FAILED_PRECONDITION),
        "OK, ABORTED or FAILED_PRECONDITION to each",
        codes);
    var winners =
        IntStream.range(0, TIMES)
            .filter(i -> answers.get(i).ok())
            .mapToObj(i -> requests.get(i).getNodeId())
            .distinct()
            .toList();
    trial.require(winners.size() <= 1, "one node at most", winners);
  }

  /// Makes one call several times at once: each is OK, all of these with one answer, or ABORTED;
  /// afterwards the call is OK, with that answer.
  private static <Q extends Message, A extends Message> A one(
      Trial trial, MethodDescriptor<Q, A> rpc, Q request) {
    var answers = trial.together(TIMES, rpc, request);
    var codes = answers.stream().map(Answer::code).toList();
    trial.require(
        answers.stream().allMatch(it -> it.ok() || it.code() == ABORTED),
        "OK or ABORTED to each",
        codes);
    var last = identity(trial.insist(rpc, request));
    for (var answer : answers)
      answer
          .message()
          .ifPresent(it ->
              trial.require(identity(it).equals(last), "one answer to all: " + last, identity(it)));
    return trial.insist(rpc, request);
  }

  /// What of an answer stays the same however often one asks.
  private static Object identity(Message answer) {
    return switch (answer) {
      case CreateVolumeResponse it -> it.getVolume().getVolumeId();
      case CreateSnapshotResponse it -> it.getSnapshot().getSnapshotId();
      default -> answer;
    };
  }

  private Concurrency() {}
}

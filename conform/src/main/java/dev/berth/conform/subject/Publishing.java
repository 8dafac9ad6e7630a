package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.PUBLISH_READONLY;
import static dev.berth.conform.trial.Ability.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Settings.AttachLimit;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;

/// Making volumes available on nodes, from the controller's side.
final class Publishing {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ControllerPublishVolume: ";
  private static final String ERRORS = "ControllerPublishVolume Errors: ";

  private static final Ability[] CONTROLLER = {CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME};
  private static final Ability[] WITH_NODE = {
    CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, NODE_SERVICE
  };

  static List<Check> checks() {
    return List.of(
        check(
                "publish.no-volume",
                "Publishing without a volume is refused",
                MISSING + "volume_id is REQUIRED")
            .covers("SAN-40")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_PUBLISH_VOLUME,
                trial -> unknown(trial).clearVolumeId().build()),
        check(
                "publish.no-node",
                "Publishing without a node is refused",
                MISSING + "node_id is REQUIRED")
            .covers("SAN-41")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_PUBLISH_VOLUME,
                trial -> unknown(trial).clearNodeId().build()),
        check(
                "publish.no-capability",
                "Publishing without a capability is refused",
                MISSING + "volume_capability is REQUIRED")
            .covers("SAN-42")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_PUBLISH_VOLUME,
                trial -> unknown(trial).clearVolumeCapability().build()),
        check(
                "publish.unknown-volume",
                "Publishing a volume that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist")
            .covers("SAN-44")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .refuses(NOT_FOUND, CONTROLLER_PUBLISH_VOLUME, trial -> unknown(trial).build()),
        check(
                "publish.unknown-node",
                "Publishing on a node that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the node does not exist")
            .covers("SAN-45")
            .needs(CONTROLLER)
            .refuses(
                NOT_FOUND,
                CONTROLLER_PUBLISH_VOLUME,
                trial ->
                    trial
                        .requests()
                        .publication(trial.volume())
                        .setNodeId(Requests.PREFIX + "no-such-node")
                        .build()),
        check(
                "publish.again",
                "A volume is published, ten times over, always with the same context",
                "ControllerPublishVolume: MUST be idempotent; publish_context SHALL NOT be mutable")
            .covers("SAN-47", "SAN-48")
            .needs(WITH_NODE)
            .asks("answer as the first time if the volume is there already", Publishing::again),
        check(
                "publish.readonly-changed",
                "Publishing again with readonly changed is refused",
                ERRORS
                    + "ALREADY_EXISTS, if the volume is published on the node but incompatible with"
                    + " the readonly flag")
            .covers("SAN-46")
            .needs(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, PUBLISH_READONLY, NODE_SERVICE)
            .refuses(
                ALREADY_EXISTS,
                CONTROLLER_PUBLISH_VOLUME,
                trial -> published(trial, trial.volume()).setReadonly(true).build()),
        check(
                "publish.otherwise",
                "Publishing again for another mode is refused",
                ERRORS
                    + "ALREADY_EXISTS, if the volume is published on the node but incompatible with"
                    + " the capability")
            .needs(WITH_NODE)
            .asks(
                "keep what a volume was published for, and compare with it", Publishing::otherwise),
        check(
                "publish.readonly-unsupported",
                "Read-only publishing is refused where it is not advertised",
                "ControllerPublishVolume: readonly is false if PUBLISH_READONLY is not advertised;"
                    + " Error Scheme: an unsupported field is INVALID_ARGUMENT")
            .needs(WITH_NODE)
            .asks(
                "refuse readonly, or advertise PUBLISH_READONLY", Publishing::readonlyUnsupported),
        check(
                "publish.second-node",
                "A volume of one node is not published on a second one",
                ERRORS
                    + "FAILED_PRECONDITION, if the volume is published on another node and has no"
                    + " MULTI_NODE capability")
            .needs(WITH_NODE)
            .asks(
                "keep where a volume is published, and name that node in the refusal",
                Publishing::secondNode),
        check(
                "publish.limit",
                "One volume more than the node can have is refused",
                ERRORS + "RESOURCE_EXHAUSTED, if as many volumes are attached as the node can have")
            .covers("SAN-43")
            .needs(WITH_NODE)
            .asks("count the volumes of a node", Publishing::limit),
        check(
                "publish.delete",
                "A published volume is not deleted",
                "DeleteVolume Errors: FAILED_PRECONDITION, if the volume is in use by another"
                    + " resource")
            .needs(WITH_NODE)
            .refuses(
                FAILED_PRECONDITION,
                DELETE_VOLUME,
                trial -> Volumes.deletion(published(trial, trial.volume()).getVolumeId())),
        check(
                "unpublish.no-volume",
                "Unpublishing without a volume is refused",
                "Error Scheme: a missing required field is INVALID_ARGUMENT;"
                    + " ControllerUnpublishVolume: volume_id is REQUIRED")
            .covers("SAN-49")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_UNPUBLISH_VOLUME,
                _ -> ControllerUnpublishVolumeRequest.getDefaultInstance()),
        check(
                "unpublish.again",
                "A volume is unpublished, twice, and can be published anew",
                "ControllerUnpublishVolume: MUST be idempotent; OK, if the volume is not attached"
                    + " to the node")
            .needs(WITH_NODE)
            .asks(
                "answer OK if the volume is not there any more",
                trial -> {
                  var volume = trial.volume();
                  var request = unpublication(published(trial, volume).getVolumeId(), trial);
                  trial.ok(CONTROLLER_UNPUBLISH_VOLUME, request);
                  trial.ok(CONTROLLER_UNPUBLISH_VOLUME, request);
                  published(trial, volume);
                }),
        check(
                "unpublish.every-node",
                "Unpublishing without a node unpublishes from all of them",
                "ControllerUnpublishVolume: if node_id is unset, the plugin MUST unpublish from all"
                    + " nodes")
            .needs(WITH_NODE)
            .asks(
                "take the volume from every node if none is named",
                trial -> {
                  var id = published(trial, trial.volume()).getVolumeId();
                  trial.ok(
                      CONTROLLER_UNPUBLISH_VOLUME,
                      ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).build());
                  trial.ok(DELETE_VOLUME, Volumes.deletion(id));
                }),
        check(
                "unpublish.unknown",
                "Unpublishing a volume that does not exist is OK or NOT_FOUND",
                "ControllerUnpublishVolume Errors: NOT_FOUND only if the volume cannot be assumed"
                    + " to be unpublished; else OK")
            .needs(WITH_NODE)
            .asks(
                "answer OK if a volume that is not there cannot be attached either",
                trial ->
                    trial.refused(
                        CONTROLLER_UNPUBLISH_VOLUME,
                        unpublication(Requests.UNKNOWN_ID, trial),
                        OK,
                        NOT_FOUND)),
        check(
                "unpublish.deleted",
                "A deleted volume can be unpublished once more",
                "ControllerUnpublishVolume: idempotent; a caller that lost the answer calls again,"
                    + " perhaps after somebody else deleted the volume; csi-sanity's clean-up does")
            .needs(WITH_NODE)
            .asks(
                "answer OK for a volume that is gone",
                trial -> {
                  var id = published(trial, trial.volume()).getVolumeId();
                  trial.ok(CONTROLLER_UNPUBLISH_VOLUME, unpublication(id, trial));
                  trial.ok(DELETE_VOLUME, Volumes.deletion(id));
                  trial.ok(CONTROLLER_UNPUBLISH_VOLUME, unpublication(id, trial));
                }));
  }

  private static ControllerPublishVolumeRequest.Builder unknown(Trial trial) {
    return trial
        .requests()
        .publication(Volume.newBuilder().setVolumeId(Requests.UNKNOWN_ID).build());
  }

  private static ControllerUnpublishVolumeRequest unpublication(String volumeId, Trial trial) {
    return ControllerUnpublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setNodeId(trial.requests().nodeId())
        .build();
  }

  private static ControllerPublishVolumeRequest.Builder published(Trial trial, Volume volume) {
    var request = trial.requests().publication(volume);
    trial.ok(CONTROLLER_PUBLISH_VOLUME, request.build());
    return request;
  }

  private static void again(Trial trial) {
    var request = trial.requests().publication(trial.volume()).build();
    var first = trial.ok(CONTROLLER_PUBLISH_VOLUME, request);
    for (int i = 0; i < 9; i++) {
      var next = trial.ok(CONTROLLER_PUBLISH_VOLUME, request);
      trial.require(first.equals(next), "publish_context as before: " + first, next);
    }
  }

  /// The volume is made for both modes, so that only the publication tells them apart.
  private static void otherwise(Trial trial) {
    var volume = Modes.volumeFor(trial, Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_READER_ONLY);
    trial.refused(
        CONTROLLER_PUBLISH_VOLUME,
        published(trial, volume)
            .setVolumeCapability(trial.requests().use(Mode.SINGLE_NODE_READER_ONLY))
            .build(),
        ALREADY_EXISTS);
  }

  private static void readonlyUnsupported(Trial trial) {
    if (trial.advertised().has(PUBLISH_READONLY))
      throw new SkipException("PUBLISH_READONLY is advertised");
    trial.refused(
        CONTROLLER_PUBLISH_VOLUME,
        trial.requests().publication(trial.volume()).setReadonly(true).build(),
        INVALID_ARGUMENT);
  }

  private static void secondNode(Trial trial) {
    var other =
        trial
            .settings()
            .extras()
            .otherNode()
            .orElseThrow(() -> new SkipException("only with --other-node"));
    trial.refused(
        CONTROLLER_PUBLISH_VOLUME,
        published(trial, trial.volume()).setNodeId(other).build(),
        FAILED_PRECONDITION);
  }

  private static void limit(Trial trial) {
    if (trial.settings().extras().attachLimit() == AttachLimit.LEFT_ALONE)
      throw new SkipException("only with --attach-limit: it takes a node full of volumes");
    long most = trial.advertised().node().map(node -> node.getMaxVolumesPerNode()).orElse(0L);
    if (most == 0) throw new SkipException("max_volumes_per_node is 0: the driver tells no limit");
    for (long i = 0; i < most; i++) {
      var answer =
          trial.send(
              CONTROLLER_PUBLISH_VOLUME, trial.requests().publication(trial.volume()).build());
      if (answer.code() == RESOURCE_EXHAUSTED) return; // others have volumes there too
      trial.require(answer.ok(), "OK for volume %d of %d".formatted(i + 1, most), answer.code());
    }
    trial.refused(
        CONTROLLER_PUBLISH_VOLUME,
        trial.requests().publication(trial.volume()).build(),
        RESOURCE_EXHAUSTED);
  }

  private Publishing() {}
}

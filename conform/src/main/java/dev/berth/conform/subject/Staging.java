package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_STAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNSTAGE_VOLUME;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Placement;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/// Preparing volumes on a node.
final class Staging {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ";
  private static final String ERRORS = "NodeStageVolume Errors: ";

  static List<Check> checks() {
    return List.of(
        check(
                "stage.no-volume",
                "Staging without a volume is refused",
                MISSING + "NodeStageVolume: volume_id is REQUIRED")
            .covers("SAN-92")
            .needs(STAGE_UNSTAGE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                NODE_STAGE_VOLUME,
                trial -> unknown(trial).clearVolumeId().build()),
        check(
                "stage.no-path",
                "Staging at no path is refused",
                MISSING + "NodeStageVolume: staging_target_path is REQUIRED")
            .covers("SAN-93")
            .needs(STAGE_UNSTAGE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                NODE_STAGE_VOLUME,
                trial -> unknown(trial).clearStagingTargetPath().build()),
        check(
                "stage.no-capability",
                "Staging an existing volume without a capability is refused",
                MISSING + "NodeStageVolume: volume_capability is REQUIRED")
            .covers("SAN-94")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                NODE_STAGE_VOLUME,
                trial -> trial.attached().stageRequest().clearVolumeCapability().build()),
        check(
                "stage.unknown",
                "Staging a volume that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist")
            .needs(STAGE_UNSTAGE_VOLUME)
            .refuses(NOT_FOUND, NODE_STAGE_VOLUME, trial -> unknown(trial).build()),
        check(
                "stage.unsupported",
                "Staging for what the volume cannot do is refused",
                ERRORS + "FAILED_PRECONDITION, if the capability exceeds the volume's")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks(
                "answer FAILED_PRECONDITION, which on the node is the code for a capability that"
                    + " does not fit",
                trial -> {
                  var placement = trial.attached();
                  trial.refused(
                      NODE_STAGE_VOLUME,
                      placement.stageRequest().setVolumeCapability(Unsupported.of(trial)).build(),
                      FAILED_PRECONDITION);
                }),
        check(
                "stage.again",
                "A volume is staged, ten times over, and is mounted once",
                "NodeStageVolume: MUST be idempotent; OK, if the volume is staged there"
                    + " identically")
            .covers("SAN-105", "SAN-106")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks("look at the mounts before mounting", Staging::again),
        check(
                "stage.otherwise",
                "Staging again for another mode is refused",
                ERRORS
                    + "ALREADY_EXISTS, if the volume is staged at the path but incompatible with"
                    + " the capability")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks("keep what a volume was staged for, and compare with it", Staging::otherwise),
        check(
                "stage.keeps-data",
                "What is on a volume is there again after it was unstaged and staged",
                "NodeStageVolume: prepares the volume at the path; a volume is not blank a second"
                    + " time")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks("format a device only if there is nothing on it at all", Staging::keepsData),
        check(
                "unstage.no-volume",
                "Unstaging without a volume is refused",
                MISSING + "NodeUnstageVolume: volume_id is REQUIRED")
            .covers("SAN-95")
            .needs(STAGE_UNSTAGE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                NODE_UNSTAGE_VOLUME,
                trial ->
                    NodeUnstageVolumeRequest.newBuilder()
                        .setStagingTargetPath(trial.freshStaging().toString())
                        .build()),
        check(
                "unstage.no-path",
                "Unstaging from no path is refused",
                MISSING + "NodeUnstageVolume: staging_target_path is REQUIRED")
            .covers("SAN-96")
            .needs(STAGE_UNSTAGE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                NODE_UNSTAGE_VOLUME,
                _ ->
                    NodeUnstageVolumeRequest.newBuilder().setVolumeId(Requests.UNKNOWN_ID).build()),
        check(
                "unstage.again",
                "A volume is unstaged, twice, and its folder is left empty",
                "NodeUnstageVolume: MUST be idempotent and undo the work of NodeStageVolume; OK, if"
                    + " the volume is not staged at the path")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .asks(
                "unmount whatever is mounted there, remove what you made, and answer OK if there is"
                    + " nothing",
                Staging::unstagedAgain),
        check(
                "unstage.unknown",
                "Unstaging a volume that does not exist is OK or NOT_FOUND",
                "NodeUnstageVolume: OK, if the volume is not staged; Errors: NOT_FOUND, if it does"
                    + " not exist")
            .needs(STAGE_UNSTAGE_VOLUME)
            .asks(
                "answer OK if nothing of the volume is at the path",
                trial ->
                    trial.refused(
                        NODE_UNSTAGE_VOLUME,
                        NodeUnstageVolumeRequest.newBuilder()
                            .setVolumeId(Requests.UNKNOWN_ID)
                            .setStagingTargetPath(trial.freshStaging().toString())
                            .build(),
                        OK,
                        NOT_FOUND)));
  }

  static NodeStageVolumeRequest.Builder unknown(Trial trial) {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(Requests.UNKNOWN_ID)
        .setStagingTargetPath(trial.freshStaging().toString())
        .setVolumeCapability(trial.requests().use());
  }

  private static void again(Trial trial) {
    var placement = trial.attached();
    for (int i = 0; i < 10; i++) trial.ok(NODE_STAGE_VOLUME, placement.stageRequest().build());
    var mounts = Contents.mountsAt(placement.staging());
    trial.require(mounts <= 1, "at most one mount at " + placement.staging(), mounts);
    trial.published(placement);
    Contents.visible(trial, placement);
  }

  /// The volume is made for both modes, so that only the staging tells them apart.
  private static void otherwise(Trial trial) {
    var requests = trial.requests();
    var volume = Modes.volumeFor(trial, Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_READER_ONLY);
    var request = trial.attached(volume, requests.use()).stageRequest();
    trial.ok(NODE_STAGE_VOLUME, request.build());
    trial.refused(
        NODE_STAGE_VOLUME,
        request.setVolumeCapability(requests.use(Mode.SINGLE_NODE_READER_ONLY)).build(),
        ALREADY_EXISTS);
  }

  private static void keepsData(Trial trial) throws IOException {
    var volume = trial.volume();
    var first = trial.published(trial.attached(volume, trial.requests().use()));
    Contents.write(trial, first, 6);
    trial.detach(first);
    var second = trial.published(trial.attached(volume, trial.requests().use()));
    trial.require(
        Contents.holds(trial, second, 6),
        "the data that was written before",
        "other data, or none");
  }

  private static void unstagedAgain(Trial trial) throws IOException {
    var placement = trial.staged();
    trial.unstage(placement);
    trial.unstage(placement);
    var mounts = Contents.mountsAt(placement.staging());
    trial.require(mounts == 0, "nothing mounted at " + placement.staging(), mounts + " mounts");
    if (Files.exists(placement.staging()))
      trial.require(isEmpty(placement), "an empty folder", "something is left in it");
  }

  private static boolean isEmpty(Placement placement) throws IOException {
    try (var entries = Files.list(placement.staging())) {
      return entries.findAny().isEmpty();
    }
  }

  private Staging() {}
}

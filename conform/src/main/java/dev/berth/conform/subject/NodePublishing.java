package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.NODE_SINGLE_NODE_MULTI_WRITER;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;
import static dev.berth.conform.trial.Ability.VOLUME_MOUNT_GROUP;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNPUBLISH_VOLUME;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Placement;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/// Bringing volumes to the paths where workloads see them, and away again.
final class NodePublishing {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ";
  private static final String ERRORS = "NodePublishVolume Errors: ";
  private static final String SECOND =
      "NodePublishVolume, table of a second call with another target: ";
  private static final int GROUP = 23456;
  private static final Ability[] VOLUMES = {CREATE_DELETE_VOLUME, NODE_SERVICE};

  static List<Check> checks() {
    return List.of(
        check(
                "node-publish.no-volume",
                "Publishing without a volume is refused",
                MISSING + "NodePublishVolume: volume_id is REQUIRED")
            .covers("SAN-85")
            .needs(NODE_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                NODE_PUBLISH_VOLUME,
                trial -> unknown(trial).clearVolumeId().build()),
        check(
                "node-publish.no-target",
                "Publishing at no path is refused",
                MISSING + "NodePublishVolume: target_path is REQUIRED")
            .covers("SAN-86")
            .needs(NODE_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                NODE_PUBLISH_VOLUME,
                trial -> unknown(trial).clearTargetPath().build()),
        check(
                "node-publish.no-capability",
                "Publishing without a capability is refused, also without a staging path",
                MISSING + "NodePublishVolume: volume_capability is REQUIRED")
            .covers("SAN-87")
            .needs(NODE_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                NODE_PUBLISH_VOLUME,
                trial -> unknown(trial).clearVolumeCapability().clearStagingTargetPath().build()),
        check(
                "node-publish.unknown",
                "Publishing a volume that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist")
            .needs(NODE_SERVICE)
            .refuses(NOT_FOUND, NODE_PUBLISH_VOLUME, trial -> unknown(trial).build()),
        check(
                "node-publish.no-staging",
                "Publishing without the staging path is refused by a driver that stages",
                ERRORS
                    + "FAILED_PRECONDITION, if STAGE_UNSTAGE_VOLUME is set but no"
                    + " staging_target_path was")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, STAGE_UNSTAGE_VOLUME)
            .refuses(
                FAILED_PRECONDITION,
                NODE_PUBLISH_VOLUME,
                trial -> trial.staged().publishRequest().clearStagingTargetPath().build()),
        check(
                "node-publish.again",
                "A volume is published, ten times over, is mounted once, and can be written to",
                "NodePublishVolume: MUST be idempotent; the SP MUST ensure that the volume can be"
                    + " used as described")
            .covers("SAN-105", "SAN-106")
            .needs(VOLUMES)
            .asks("look at the mounts before mounting", NodePublishing::again),
        check(
                "node-publish.kind",
                "The target is a folder for a file system and a device for a block volume",
                "NodePublishVolume: the SP SHALL place a block device at target_path for block, and"
                    + " a mounted directory for mount")
            .needs(VOLUMES)
            .asks("make the target of the right kind and mount there", NodePublishing::kind),
        check(
                "node-publish.readonly-changed",
                "Publishing again at the target with readonly changed is refused",
                ERRORS
                    + "ALREADY_EXISTS, if the volume is published at target_path but incompatible"
                    + " with readonly")
            .needs(VOLUMES)
            .refuses(
                ALREADY_EXISTS,
                NODE_PUBLISH_VOLUME,
                trial -> trial.published().publishRequest().setReadonly(true).build()),
        check(
                "node-publish.readonly",
                "A volume that is published read-only cannot be written to",
                "NodePublishVolume: readonly indicates that the SP MUST publish the volume in"
                    + " readonly mode")
            .needs(VOLUMES)
            .asks(
                "mount read-only; a block device itself has to be read-only too",
                NodePublishing::readonly),
        check(
                "node-publish.second-target",
                "A volume of a single node is not published at a second target",
                SECOND + "FAILED_PRECONDITION for modes that are not MULTI_NODE")
            .needs(VOLUMES)
            .refuses(
                FAILED_PRECONDITION,
                NODE_PUBLISH_VOLUME,
                trial -> second(trial, trial.published())),
        check(
                "node-publish.single-writer",
                "A volume of a single writer is not published at a second target",
                SECOND + "FAILED_PRECONDITION for SINGLE_NODE_SINGLE_WRITER")
            .covers("SAN-88")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, NODE_SINGLE_NODE_MULTI_WRITER)
            .refuses(
                FAILED_PRECONDITION,
                NODE_PUBLISH_VOLUME,
                trial ->
                    second(
                        trial,
                        ofMode(trial, Modes.singleWriter(trial), Mode.SINGLE_NODE_SINGLE_WRITER))),
        check(
                "node-publish.multi-writer",
                "A volume of several writers is published at a second target",
                SECOND + "OK for SINGLE_NODE_MULTI_WRITER")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, NODE_SINGLE_NODE_MULTI_WRITER)
            .asks(
                "make volumes for this mode, and allow any number of targets",
                trial ->
                    trial.ok(
                        NODE_PUBLISH_VOLUME,
                        second(
                            trial,
                            ofMode(
                                trial, Modes.multiWriter(trial), Mode.SINGLE_NODE_MULTI_WRITER)))),
        check(
                "node-publish.fresh-context",
                "Publishing again with a fresh volume context is the same publication",
                "NodePublishVolume: OK, if the volume is published at target_path and compatible"
                    + " with capability and readonly; callers put new tokens into the context")
            .needs(VOLUMES)
            .asks(
                "compare capability and readonly only; take the new context over",
                trial ->
                    trial.ok(
                        NODE_PUBLISH_VOLUME,
                        trial
                            .published()
                            .publishRequest()
                            .putVolumeContext("csi.storage.k8s.io/pod.uid", "another")
                            .build())),
        check(
                "node-publish.mount-group",
                "The files of a volume belong to the group that is asked for",
                "MountVolume, volume_mount_group: with VOLUME_MOUNT_GROUP the SP MUST see to it"
                    + " that the group is that of the mount")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, VOLUME_MOUNT_GROUP)
            .asks(
                "give the group to mount, or the root of the file system to the group",
                NodePublishing::mountGroup),
        check(
                "node-unpublish.no-volume",
                "Unpublishing without a volume is refused",
                MISSING + "NodeUnpublishVolume: volume_id is REQUIRED")
            .covers("SAN-89")
            .needs(NODE_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                NODE_UNPUBLISH_VOLUME,
                trial ->
                    NodeUnpublishVolumeRequest.newBuilder()
                        .setTargetPath(trial.freshTarget().toString())
                        .build()),
        check(
                "node-unpublish.no-target",
                "Unpublishing from no path is refused",
                MISSING + "NodeUnpublishVolume: target_path is REQUIRED")
            .covers("SAN-90")
            .needs(NODE_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                NODE_UNPUBLISH_VOLUME,
                _ ->
                    NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(Requests.UNKNOWN_ID)
                        .build()),
        check(
                "node-unpublish.again",
                "A volume is unpublished, twice, and the target is gone",
                "NodeUnpublishVolume: MUST be idempotent; the SP MUST delete the file or directory"
                    + " that it created at the path")
            .covers("SAN-91")
            .needs(VOLUMES)
            .asks(
                "unmount every layer, then remove the target with rmdir or unlink",
                NodePublishing::unpublishedAgain),
        check(
                "node-unpublish.others",
                "Unpublishing another volume's target leaves that volume where it is",
                "NodeUnpublishVolume: undoes the publishing of volume_id, not of another volume")
            .needs(VOLUMES)
            .asks(
                "look which volume is mounted at the path before it is unmounted",
                NodePublishing::others),
        check(
                "node-unpublish.unknown",
                "Unpublishing a volume that does not exist is OK or NOT_FOUND",
                "NodeUnpublishVolume: MUST be idempotent; Errors: NOT_FOUND, if the volume does not"
                    + " exist")
            .needs(NODE_SERVICE)
            .asks(
                "answer OK if nothing of the volume is at the path",
                trial ->
                    trial.refused(
                        NODE_UNPUBLISH_VOLUME,
                        unpublication(Requests.UNKNOWN_ID, trial.freshTarget()),
                        OK,
                        NOT_FOUND)));
  }

  static NodePublishVolumeRequest.Builder unknown(Trial trial) {
    var request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(Requests.UNKNOWN_ID)
            .setTargetPath(trial.freshTarget().toString())
            .setVolumeCapability(trial.requests().use());
    if (trial.advertised().has(STAGE_UNSTAGE_VOLUME))
      request.setStagingTargetPath(trial.freshStaging().toString());
    return request;
  }

  static NodeUnpublishVolumeRequest unpublication(String id, Path target) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setTargetPath(target.toString())
        .build();
  }

  private static Placement ofMode(Trial trial, Volume volume, Mode mode) {
    return trial.published(trial.attached(volume, trial.requests().use(mode)));
  }

  private static NodePublishVolumeRequest second(Trial trial, Placement published) {
    return published.publishRequest().setTargetPath(trial.freshTarget().toString()).build();
  }

  private static void again(Trial trial) throws IOException {
    var placement = trial.staged();
    for (int i = 0; i < 10; i++) trial.ok(NODE_PUBLISH_VOLUME, placement.publishRequest().build());
    var mounts = Contents.mountsAt(placement.target());
    trial.require(mounts == 1, "one mount at " + placement.target(), mounts);
    Contents.write(trial, placement, 7);
    trial.require(Contents.holds(trial, placement, 7), "what was written", "something else");
  }

  private static void kind(Trial trial) throws IOException {
    var placement = trial.published();
    Contents.visible(trial, placement);
    if (!placement.use().hasBlock()) {
      trial.require(
          Files.isDirectory(placement.target(), LinkOption.NOFOLLOW_LINKS),
          "a directory at " + placement.target(),
          "none");
      return;
    }
    trial.require(
        !Files.isDirectory(placement.target()) && !Files.isRegularFile(placement.target()),
        "a device at " + placement.target(),
        "a file or a directory");
    var size = Contents.size(trial, placement);
    trial.require(
        size >= trial.settings().shape().size(), "a device of at least the required size", size);
  }

  private static void readonly(Trial trial) throws IOException {
    var placement = trial.staged();
    trial.ok(NODE_PUBLISH_VOLUME, placement.publishRequest().setReadonly(true).build());
    Contents.visible(trial, placement);
    boolean written;
    try {
      Contents.write(trial, placement, 8);
      written = true;
    } catch (IOException refused) {
      written = false;
    }
    trial.require(!written, "writing to fail", "it was written to");
  }

  private static void mountGroup(Trial trial) throws IOException {
    if (trial.settings().shape().access() == Access.BLOCK)
      throw new SkipException("block volumes have no files");
    var use = trial.requests().use().toBuilder();
    use.getMountBuilder().setVolumeMountGroup(String.valueOf(GROUP));
    var placement = trial.published(trial.attached(use.build()));
    Contents.visible(trial, placement);
    var group = Files.getAttribute(placement.target(), "unix:gid");
    trial.require(group.equals(GROUP), "files of group " + GROUP, "group " + group);
  }

  private static void unpublishedAgain(Trial trial) {
    var placement = trial.published();
    Contents.visible(trial, placement);
    trial.unpublish(placement);
    trial.unpublish(placement);
    trial.require(
        !Files.exists(placement.target(), LinkOption.NOFOLLOW_LINKS),
        "nothing at " + placement.target(),
        "it is still there");
  }

  private static void others(Trial trial) {
    var placement = trial.published();
    var other = trial.volume();
    trial.send(NODE_UNPUBLISH_VOLUME, unpublication(other.getVolumeId(), placement.target()));
    Contents.visible(trial, placement);
  }

  private NodePublishing() {}
}

package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.asking;
import static dev.berth.conform.fault.Fault.idle;
import static dev.berth.conform.fault.Fault.in;
import static dev.berth.conform.fault.Fault.once;
import static dev.berth.conform.fault.Fault.refusing;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_EXPAND_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_GET_VOLUME_STATS;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_STAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNSTAGE_VOLUME;

import com.google.protobuf.Message;
import dev.berth.conform.trial.Requests;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Drivers that are wrong about volumes on nodes.
final class WrongPlaces {
  static List<Row> rows() {
    return List.of(
        new Row(
            "publish.again",
            "the publish context is that of the moment",
            answering(
                CONTROLLER_PUBLISH_VOLUME,
                ControllerPublishVolumeResponse.Builder.class,
                (it, number) -> it.putPublishContext("try", "" + number))),
        new Row(
            "publish.readonly-unsupported",
            "it publishes read-only and does not say so",
            WrongSelf.without(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)),
        new Row(
            "unpublish.again",
            "a volume that is not published is NOT_FOUND",
            once(CONTROLLER_UNPUBLISH_VOLUME, Code.NOT_FOUND)),
        new Row(
            "unpublish.every-node",
            "without a node nothing is unpublished",
            in(
                CONTROLLER_UNPUBLISH_VOLUME,
                call ->
                    ((ControllerUnpublishVolumeRequest) call.request()).getNodeId().isEmpty()
                        ? call.empty()
                        : call.pass())),
        new Row(
            "unpublish.unknown",
            "an unknown volume cannot be unpublished",
            refusing(
                CONTROLLER_UNPUBLISH_VOLUME,
                Code.INTERNAL,
                ControllerUnpublishVolumeRequest.class,
                it -> it.getVolumeId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "unpublish.deleted",
            "a deleted volume is NOT_FOUND",
            once(CONTROLLER_UNPUBLISH_VOLUME, Code.NOT_FOUND)),
        new Row(
            "stage.again",
            "a staged volume cannot be staged",
            once(NODE_STAGE_VOLUME, Code.ALREADY_EXISTS)),
        new Row("stage.keeps-data", "whatever is unstaged is wiped", wiping()),
        new Row("unstage.again", "nothing is ever unstaged", idle(NODE_UNSTAGE_VOLUME)),
        new Row(
            "unstage.unknown",
            "an unknown volume cannot be unstaged",
            refusing(
                NODE_UNSTAGE_VOLUME,
                Code.INTERNAL,
                NodeUnstageVolumeRequest.class,
                it -> it.getVolumeId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "node-publish.again",
            "a published volume cannot be published",
            once(NODE_PUBLISH_VOLUME, Code.ALREADY_EXISTS)),
        new Row("node-publish.kind", "nothing is ever published", idle(NODE_PUBLISH_VOLUME)),
        new Row(
            "node-publish.readonly",
            "readonly is ignored",
            asking(
                NODE_PUBLISH_VOLUME,
                NodePublishVolumeRequest.Builder.class,
                it -> it.clearReadonly())),
        new Row(
            "node-publish.multi-writer",
            "a volume is published at one path only",
            once(
                NODE_PUBLISH_VOLUME,
                Code.FAILED_PRECONDITION,
                it -> ((NodePublishVolumeRequest) it).getVolumeId())),
        new Row(
            "node-publish.fresh-context",
            "a fresh context is another publication",
            refusing(
                NODE_PUBLISH_VOLUME,
                Code.ALREADY_EXISTS,
                NodePublishVolumeRequest.class,
                it -> it.containsVolumeContext("csi.storage.k8s.io/pod.uid"))),
        new Row(
            "node-publish.mount-group",
            "the group is ignored",
            Fault.all(
                asking(
                    NODE_STAGE_VOLUME,
                    NodeStageVolumeRequest.Builder.class,
                    it ->
                        it.getVolumeCapabilityBuilder().getMountBuilder().clearVolumeMountGroup()),
                asking(
                    NODE_PUBLISH_VOLUME,
                    NodePublishVolumeRequest.Builder.class,
                    it ->
                        it.getVolumeCapabilityBuilder()
                            .getMountBuilder()
                            .clearVolumeMountGroup()))),
        new Row("node-unpublish.again", "nothing is ever unpublished", idle(NODE_UNPUBLISH_VOLUME)),
        new Row("node-unpublish.others", "whatever is at the path is unmounted", unmounting()),
        new Row(
            "node-unpublish.unknown",
            "an unknown volume cannot be unpublished",
            refusing(
                NODE_UNPUBLISH_VOLUME,
                Code.INTERNAL,
                NodeUnpublishVolumeRequest.class,
                it -> it.getVolumeId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "stats.told",
            "stats are those of the disk that the volume lies on",
            answering(
                NODE_GET_VOLUME_STATS,
                NodeGetVolumeStatsResponse.Builder.class,
                it -> it.getUsageBuilder(0).setTotal(1L << 50))),
        new Row(
            "stats.condition",
            "stats do not tell the condition",
            answering(
                NODE_GET_VOLUME_STATS,
                NodeGetVolumeStatsResponse.Builder.class,
                it -> it.clearVolumeCondition())),
        new Row(
            "node-expand.published",
            "a volume that is large enough is refused",
            once(NODE_EXPAND_VOLUME, Code.OUT_OF_RANGE)),
        new Row("node-expand.online", "nothing is ever expanded", idle(NODE_EXPAND_VOLUME)));
  }

  /// Loses the data of a volume when it leaves the node.
  private static Fault wiping() {
    return in(
        NODE_UNSTAGE_VOLUME,
        call -> {
          var answer = call.pass();
          var id = ((NodeUnstageVolumeRequest) call.request()).getVolumeId();
          var image = call.folder().resolve("pool/volumes/" + id + ".img");
          if (Files.exists(image)) wipe(image);
          return answer;
        });
  }

  private static void wipe(Path image) {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      var size = file.length();
      file.setLength(0);
      file.setLength(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Does not look whose volume it is.
  private static Fault unmounting() {
    return in(
        NODE_UNPUBLISH_VOLUME,
        call -> {
          var target = Path.of(((NodeUnpublishVolumeRequest) call.request()).getTargetPath());
          var mounts = Mounts.ofThisMachine();
          if (mounts.table().at(target).isPresent()) mounts.unmount(target, Unmount.LAZY);
          List<Message> answer = call.pass();
          return answer;
        });
  }

  private WrongPlaces() {}
}

package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.lenient;
import static dev.berth.conform.fault.Fault.miscoded;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_VOLUME_HEALTH;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_LIST_VOLUME_HEALTH;
import static dev.berth.conform.trial.Rpcs.NODE_GET_STORAGE_HEALTH;
import static dev.berth.conform.trial.Rpcs.NODE_GET_VOLUME_HEALTH;

import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealthErrorType;
import io.grpc.Status.Code;
import java.util.List;

/// Drivers that are wrong about how their volumes are.
final class WrongHealths {
  private static VolumeHealth.Builder twice(VolumeHealth.Builder health) {
    for (var each = 0; each < 2; each++)
      health
          .addHealthStatusesBuilder()
          .setStatus(VolumeHealthErrorType.DEGRADED)
          .setReason("DriveSlow");
    return health;
  }

  static List<Row> rows() {
    return List.of(
        new Row(
            "volume-health.no-volume", "no volume is well", lenient(CONTROLLER_GET_VOLUME_HEALTH)),
        new Row(
            "volume-health.unknown",
            "an unknown volume is INTERNAL",
            miscoded(CONTROLLER_GET_VOLUME_HEALTH, Code.INTERNAL)),
        new Row(
            "volume-health.told",
            "it tells one thing twice",
            answering(
                CONTROLLER_GET_VOLUME_HEALTH,
                ControllerGetVolumeHealthResponse.Builder.class,
                it -> twice(it.getVolumeHealthBuilder()))),
        new Row(
            "volume-health.list",
            "what is wrong has no reason",
            answering(
                CONTROLLER_LIST_VOLUME_HEALTH,
                ControllerListVolumeHealthResponse.Builder.class,
                it ->
                    it.addEntriesBuilder()
                        .setVolumeId("v")
                        .addHealthStatusesBuilder()
                        .setStatus(VolumeHealthErrorType.DEGRADED))),
        new Row(
            "volume-health.wrong-token",
            "any token will do",
            lenient(CONTROLLER_LIST_VOLUME_HEALTH)),
        new Row(
            "node-health.no-volume", "no volume is well there", lenient(NODE_GET_VOLUME_HEALTH)),
        new Row(
            "node-health.told",
            "it does not find a volume without its path",
            Fault.refusing(
                NODE_GET_VOLUME_HEALTH,
                Code.NOT_FOUND,
                NodeGetVolumeHealthRequest.class,
                it -> it.getVolumePublishPath().isEmpty())),
        new Row(
            "storage-health.told",
            "its storage is in a state that nobody knows",
            answering(
                NODE_GET_STORAGE_HEALTH,
                NodeGetStorageHealthResponse.Builder.class,
                it -> it.addBackendHealthBuilder().setStatusValue(9).setReason("Strange"))));
  }

  private WrongHealths() {}
}

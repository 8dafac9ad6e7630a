package dev.berth.simulation.driver;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.csi.v1.VolumeHealthErrorType;
import io.grpc.Status.Code;
import java.util.Map;

/// What the controller service tells of volumes' health.
record HealthDoor(Backend backend) {
  /// So few that a walk takes several calls: between them volumes fall ill and get well, and what
  /// comes later in the list moves.
  private static final int PAGE = 2;

  private static final Map<String, VolumeHealthErrorType> STATUS =
      Map.of(
          "Degraded", VolumeHealthErrorType.DEGRADED,
          "Inaccessible", VolumeHealthErrorType.INACCESSIBLE,
          "DataLoss", VolumeHealthErrorType.DATA_LOSS);

  ControllerGetVolumeHealthResponse get(String id) {
    if (backend.find(id).isEmpty())
      throw new CsiException(Code.NOT_FOUND, "volume " + id + " does not exist");
    return ControllerGetVolumeHealthResponse.newBuilder().setVolumeHealth(of(id)).build();
  }

  /// Those that are ill, from one of them on.
  ControllerListVolumeHealthResponse list(String token) {
    int from = token.isEmpty() ? 0 : Integer.parseInt(token);
    var ill =
        backend.disks().stream()
            .map(Disk::id)
            .filter(id -> !backend.ills().of(id).isEmpty())
            .toList();
    var answer = ControllerListVolumeHealthResponse.newBuilder();
    ill.stream().skip(from).limit(PAGE).forEach(id -> answer.addEntries(of(id)));
    if (ill.size() > from + PAGE) answer.setNextToken(Integer.toString(from + PAGE));
    return answer.build();
  }

  private VolumeHealth of(String id) {
    var health = VolumeHealth.newBuilder().setVolumeId(id);
    for (var ill : backend.ills().of(id).stream().sorted().toList()) {
      var words = ill.split("/", 2);
      health.addHealthStatuses(
          VolumeHealthEntry.newBuilder()
              .setStatus(
                  STATUS.getOrDefault(words[0], VolumeHealthErrorType.UNKNOWN_VOLUME_HEALTH_TYPE))
              .setReason(words[1]));
    }
    return health.build();
  }
}

package dev.berth.conform.trial;

import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.Map;

/// Where a volume is, or is to be, on the node beside us.
///
/// @param context publish context; empty if the driver does not attach
/// @param staging where it is staged; not used if the driver does not stage
/// @param target where it is published
public record Placement(
    Volume volume,
    VolumeCapability use,
    Map<String, String> context,
    Path staging,
    Path target,
    boolean stages) {
  public Placement {
    context = Map.copyOf(context);
  }

  public String id() {
    return volume.getVolumeId();
  }

  public NodeStageVolumeRequest.Builder stageRequest() {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(id())
        .setStagingTargetPath(staging.toString())
        .setVolumeCapability(use)
        .putAllPublishContext(context)
        .putAllVolumeContext(volume.getVolumeContextMap());
  }

  public NodePublishVolumeRequest.Builder publishRequest() {
    var request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(id())
            .setTargetPath(target.toString())
            .setVolumeCapability(use)
            .putAllPublishContext(context)
            .putAllVolumeContext(volume.getVolumeContextMap());
    if (stages) request.setStagingTargetPath(staging.toString());
    return request;
  }
}

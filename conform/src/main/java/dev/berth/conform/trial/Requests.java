package dev.berth.conform.trial;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.UUID;

/// Requests that are right as they stand; a check changes the one thing that it is about.
public final class Requests {
  /// Begins every name that a run gives, so that its things can be told from all others.
  public static final String PREFIX = "berth-conform-";

  /// The id of no volume, snapshot or group.
  public static final String UNKNOWN_ID = PREFIX + "no-such-id";

  private final Settings settings;
  private final Advertised advertised;
  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private int count;

  Requests(Settings settings, Advertised advertised) {
    this.settings = settings;
    this.advertised = advertised;
  }

  /// A name that nothing has yet.
  public synchronized String name() {
    return PREFIX + run + "-" + ++count;
  }

  /// A new name of exactly so many bytes.
  public String name(int bytes) {
    var name = new StringBuilder(name()).append('-');
    return name.repeat('x', bytes - name.length()).toString();
  }

  public VolumeCapability use() {
    return use(Mode.SINGLE_NODE_WRITER);
  }

  /// The access of this run in another mode.
  public VolumeCapability use(Mode mode) {
    return use(settings.shape().access(), mode);
  }

  public VolumeCapability use(Access access, Mode mode) {
    var use = VolumeCapability.newBuilder();
    switch (access) {
      case MOUNT -> use.getMountBuilder().setFsType(settings.shape().fsType());
      case BLOCK -> use.getBlockBuilder();
    }
    use.getAccessModeBuilder().setMode(mode);
    return use.build();
  }

  /// A volume with a new name.
  public CreateVolumeRequest.Builder volume() {
    var request =
        CreateVolumeRequest.newBuilder()
            .setName(name())
            .addVolumeCapabilities(use())
            .putAllParameters(settings.maps().volume());
    request.getCapacityRangeBuilder().setRequiredBytes(settings.shape().size());
    // The node beside us must reach it, whatever others there are.
    if (advertised.has(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS))
      advertised
          .node()
          .filter(node -> node.hasAccessibleTopology())
          .ifPresent(node ->
              request
                  .getAccessibilityRequirementsBuilder()
                  .addRequisite(node.getAccessibleTopology())
                  .addPreferred(node.getAccessibleTopology()));
    return request;
  }

  /// A snapshot of a volume, with a new name.
  public CreateSnapshotRequest.Builder snapshot(String sourceVolumeId) {
    return CreateSnapshotRequest.newBuilder()
        .setName(name())
        .setSourceVolumeId(sourceVolumeId)
        .putAllParameters(settings.maps().snapshot());
  }

  /// A group snapshot of volumes, with a new name.
  public CreateVolumeGroupSnapshotRequest.Builder group(List<String> sourceVolumeIds) {
    return CreateVolumeGroupSnapshotRequest.newBuilder()
        .setName(name())
        .addAllSourceVolumeIds(sourceVolumeIds)
        .putAllParameters(settings.maps().snapshot());
  }

  /// A volume published on the node beside us.
  public ControllerPublishVolumeRequest.Builder publication(Volume volume) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setNodeId(nodeId())
        .setVolumeCapability(use())
        .putAllVolumeContext(volume.getVolumeContextMap());
  }

  /// The id of the node beside us; if it does not tell, one that no node has.
  public String nodeId() {
    return advertised.node().map(node -> node.getNodeId()).orElse(PREFIX + "no-such-node");
  }
}

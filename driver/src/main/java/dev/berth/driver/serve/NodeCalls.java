package dev.berth.driver.serve;

import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeExpandVolumeResponse;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;
import dev.berth.csi.v1.VolumeUsage;
import dev.berth.driver.model.BackendAilment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.Wire;
import dev.berth.driver.serve.InFlight.Hold;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodePublishing.Publish;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.NodeStats.Stats;
import dev.berth.driver.spi.OnNode;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.StorageHealth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// What happens to volumes on this node.
record NodeCalls(Parts parts, UsageSupport usages, InFlight inFlight) {

  NodeGetInfoResponse info() throws IOException {
    var node = parts.outgoing().node(parts.require(OnNode.class).nodeInfo());
    var answer =
        NodeGetInfoResponse.newBuilder()
            .setNodeId(node.nodeId())
            .setMaxVolumesPerNode(node.maxVolumes());
    node.topology().map(Wire::message).ifPresent(answer::setAccessibleTopology);
    return answer.build();
  }

  /// NOD-01.
  NodeStageVolumeResponse stage(NodeStageVolumeRequest request) throws IOException {
    var staging = parts.require(NodeStaging.class);
    Fields.present("volume_id", request.getVolumeId());
    Fields.present("staging_target_path", request.getStagingTargetPath());
    Fields.present("volume_capability", request.hasVolumeCapability());
    checkId(request.getVolumeId());
    var directory = Fields.path("staging_target_path", request.getStagingTargetPath());
    var usage = Fields.usage(request.getVolumeCapability());
    var secrets = parts.secrets(Call.NODE_STAGE, request.getSecretsMap());
    try (var _ = hold("NodeStageVolume", request.getVolumeId())) {
      checkSupported(usage);
      staging.stage(
          new NodeStaging.Stage(
              request.getVolumeId(),
              directory,
              usage,
              request.getPublishContextMap(),
              request.getVolumeContextMap(),
              secrets));
    }
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  /// NOD-02.
  NodeUnstageVolumeResponse unstage(NodeUnstageVolumeRequest request) throws IOException {
    var staging = parts.require(NodeStaging.class);
    Fields.present("volume_id", request.getVolumeId());
    var directory = Fields.path("staging_target_path", request.getStagingTargetPath());
    try (var _ = hold("NodeUnstageVolume", request.getVolumeId())) {
      if (Fields.canBeId(request.getVolumeId())) staging.unstage(request.getVolumeId(), directory);
    }
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  /// NOD-03. A missing staging path is a wrong state, not a wrong request (SAN-32).
  NodePublishVolumeResponse publish(NodePublishVolumeRequest request) throws IOException {
    var publishing = parts.require(NodePublishing.class);
    Fields.present("volume_id", request.getVolumeId());
    Fields.present("target_path", request.getTargetPath());
    Fields.present("volume_capability", request.hasVolumeCapability());
    checkId(request.getVolumeId());
    var target = Fields.path("target_path", request.getTargetPath());
    var usage = Fields.usage(request.getVolumeCapability());
    var secrets = parts.secrets(Call.NODE_PUBLISH, request.getSecretsMap());
    var publish =
        new Publish(
            request.getVolumeId(),
            stagedAt(request),
            target,
            usage,
            request.getReadonly() || usage.mode().readOnly(),
            request.getPublishContextMap(),
            request.getVolumeContextMap(),
            secrets);
    try (var _ = hold("NodePublishVolume", request.getVolumeId())) {
      checkSupported(publish.usage());
      if (parts.has(NodeStaging.class) && publish.stagedAt().isEmpty() && !publish.ephemeral())
        throw Refusal.wrongState("staging_target_path is missing; stage the volume first");
      publishing.publish(publish);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private static Optional<Path> stagedAt(NodePublishVolumeRequest request) {
    if (request.getStagingTargetPath().isEmpty()) return Optional.empty();
    return Optional.of(Fields.path("staging_target_path", request.getStagingTargetPath()));
  }

  /// On a node an unsupported capability is a state that does not fit, not an argument (ERR-05).
  private void checkSupported(Usage usage) {
    Fields.noObjection(usages.objection(usage), Refusal::wrongState);
  }

  /// NOD-04.
  NodeUnpublishVolumeResponse unpublish(NodeUnpublishVolumeRequest request) throws IOException {
    var publishing = parts.require(NodePublishing.class);
    Fields.present("volume_id", request.getVolumeId());
    var target = Fields.path("target_path", request.getTargetPath());
    try (var _ = hold("NodeUnpublishVolume", request.getVolumeId())) {
      if (Fields.canBeId(request.getVolumeId()))
        publishing.unpublish(request.getVolumeId(), target);
    }
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  /// NOD-05, NOD-21. Waits for no operation: a hung one must not hide how the volume is (CON-03).
  NodeGetVolumeStatsResponse stats(NodeGetVolumeStatsRequest request) throws IOException {
    var stats = parts.require(NodeStats.class);
    Fields.present("volume_id", request.getVolumeId());
    var path = Fields.lookedUp("volume_path", request.getVolumePath());
    checkId(request.getVolumeId());
    var answer = NodeGetVolumeStatsResponse.newBuilder();
    var health = parts.find(NodeHealth.class);
    var condition = Condition.healthy("nobody looks after its health");
    if (health.isPresent()) {
      condition = health.get().condition(request.getVolumeId(), Optional.of(path));
      answer.setVolumeCondition(Wire.message(condition));
    }
    try {
      count(stats.stats(request.getVolumeId(), path), answer);
    } catch (Refusal refused) {
      throw refused;
    } catch (IOException | RuntimeException e) {
      if (!condition.abnormal()) throw e; // else it is told with OK how the volume is (CND-02)
    }
    return answer.build();
  }

  /// VH-05. Of a volume that could not be published it is told how it is where it is staged.
  NodeGetVolumeHealthResponse health(NodeGetVolumeHealthRequest request) throws IOException {
    var health = parts.require(NodeHealth.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    var published = path("volume_publish_path", request.getVolumePublishPath());
    var staged = path("staging_target_path", request.getStagingTargetPath());
    checkId(id);
    Condition condition;
    try {
      condition = health.condition(id, published.or(() -> staged));
    } catch (Refusal refused) {
      boolean elsewhere = refused.reason() == Refusal.Reason.NOT_FOUND && staged.isPresent();
      if (!elsewhere || published.isEmpty()) throw refused;
      condition = health.condition(id, staged);
    }
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(Wire.health(id, condition))
        .build();
  }

  private static Optional<Path> path(String field, String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(Fields.path(field, text));
  }

  /// VH-05.
  NodeGetStorageHealthResponse storageHealth() throws IOException {
    return NodeGetStorageHealthResponse.newBuilder()
        .addAllBackendHealth(
            BackendAilment.each(parts.require(StorageHealth.class).storageHealth()).stream()
                .map(Wire::message)
                .toList())
        .build();
  }

  private static void count(Stats found, NodeGetVolumeStatsResponse.Builder answer) {
    answer.addUsage(usage(VolumeUsage.Unit.BYTES, found.bytes()));
    found
        .inodes()
        .filter(inodes -> inodes.total() > 0)
        .ifPresent(inodes -> answer.addUsage(usage(VolumeUsage.Unit.INODES, inodes)));
  }

  private static VolumeUsage usage(VolumeUsage.Unit unit, NodeStats.Count count) {
    return VolumeUsage.newBuilder()
        .setUnit(unit)
        .setTotal(Math.max(0, count.total()))
        .setUsed(Math.max(0, count.used()))
        .setAvailable(Math.max(0, count.available()))
        .build();
  }

  /// NOD-06, NOD-22.
  NodeExpandVolumeResponse expand(NodeExpandVolumeRequest request) throws IOException {
    var expansion = parts.require(NodeExpansion.class);
    Fields.present("volume_id", request.getVolumeId());
    var path = Fields.lookedUp("volume_path", request.getVolumePath());
    var size = request.hasCapacityRange() ? Wire.size(request.getCapacityRange()) : SizeRange.ANY;
    var usage =
        request.hasVolumeCapability()
            ? Optional.of(Fields.usage(request.getVolumeCapability()))
            : Optional.<Usage>empty();
    Fields.noObjection(usage.flatMap(usages::objection), Refusal::invalid);
    checkId(request.getVolumeId());
    var secrets = parts.secrets(Call.NODE_EXPAND, request.getSecretsMap());
    try (var _ = hold("NodeExpandVolume", request.getVolumeId())) {
      var bytes = expansion.expand(request.getVolumeId(), path, size, usage, secrets);
      return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(bytes).build();
    }
  }

  private static void checkId(String volumeId) {
    if (!Fields.canBeId(volumeId)) throw Refusal.noSuchVolume(Fields.shown(volumeId));
  }

  private Hold hold(String operation, String volumeId) {
    return inFlight.hold(operation, Kind.VOLUME_ON_NODE, volumeId);
  }
}

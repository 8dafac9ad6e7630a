package dev.berth.simulation.driver;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeExpandVolumeResponse;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGetStorageHealthRequest;
import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;
import dev.berth.csi.v1.Topology;
import io.grpc.Status.Code;
import java.util.function.Supplier;

/// The node service on one node, from when its machine was started until it stops.
///
/// @param boot how often the machine has been off before
record NodeDoor(
    Backend backend,
    SimulatedDriver.Reach reach,
    SimulatedDriver.Ability ability,
    String node,
    int boot,
    Door door)
    implements NodeCalls {
  @Override
  public NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request) {
    var answer =
        NodeGetCapabilitiesResponse.newBuilder()
            .addCapabilities(can(RPC.Type.STAGE_UNSTAGE_VOLUME));
    if (ability == SimulatedDriver.Ability.GROWTH)
      answer.addCapabilities(can(RPC.Type.EXPAND_VOLUME));
    return answer.build();
  }

  private static NodeServiceCapability can(RPC.Type type) {
    return NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type)).build();
  }

  @Override
  public NodeGetInfoResponse nodeGetInfo(NodeGetInfoRequest request) {
    var info = NodeGetInfoResponse.newBuilder().setNodeId(node);
    if (reach == SimulatedDriver.Reach.LOCAL)
      info.setAccessibleTopology(Topology.newBuilder().putSegments(SimulatedDriver.TOPOLOGY, node));
    return info.build();
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request) {
    var id = request.getVolumeId();
    return call(
        id,
        () -> {
          backend.stage(id, node, request.getStagingTargetPath());
          return NodeStageVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request) {
    var id = request.getVolumeId();
    return call(
        id,
        () -> {
          backend.publish(id, node, request.getStagingTargetPath(), request.getTargetPath());
          return NodePublishVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request) {
    var id = request.getVolumeId();
    return call(
        id,
        () -> {
          backend.unpublish(id, node, request.getTargetPath());
          return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request) {
    var id = request.getVolumeId();
    return call(
        id,
        () -> {
          backend.unstage(id, node);
          return NodeUnstageVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request) {
    throw cannot();
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(NodeGetVolumeHealthRequest request) {
    throw cannot();
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(NodeGetStorageHealthRequest request) {
    throw cannot();
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request) {
    var id = request.getVolumeId();
    return call(
        id,
        () ->
            NodeExpandVolumeResponse.newBuilder()
                .setCapacityBytes(backend.fill(id, node).filled())
                .build());
  }

  /// What has been asked of a machine ends with it.
  private <T> T call(String volume, Supplier<T> operation) {
    return door.call(
        volume,
        () -> {
          if (backend.boots(node) != boot)
            throw new CsiException(Code.UNAVAILABLE, "the machine is off");
          return operation.get();
        });
  }

  private static CsiException cannot() {
    return new CsiException(Code.UNIMPLEMENTED, "the simulated driver does not do that");
  }
}

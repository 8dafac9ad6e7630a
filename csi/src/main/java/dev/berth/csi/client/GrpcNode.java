package dev.berth.csi.client;

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
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;

/// The calls of the service Node over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcNode(Stubs<NodeGrpc.NodeBlockingStub> stubs) implements NodeCalls {

  @Override
  public NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request) {
    return stubs.call(stub -> stub.nodeGetCapabilities(request));
  }

  @Override
  public NodeGetInfoResponse nodeGetInfo(NodeGetInfoRequest request) {
    return stubs.call(stub -> stub.nodeGetInfo(request));
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request) {
    return stubs.call(stub -> stub.nodeStageVolume(request));
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request) {
    return stubs.call(stub -> stub.nodePublishVolume(request));
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request) {
    return stubs.call(stub -> stub.nodeUnpublishVolume(request));
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request) {
    return stubs.call(stub -> stub.nodeUnstageVolume(request));
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request) {
    return stubs.call(stub -> stub.nodeGetVolumeStats(request));
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(NodeGetVolumeHealthRequest request) {
    return stubs.call(stub -> stub.nodeGetVolumeHealth(request));
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(NodeGetStorageHealthRequest request) {
    return stubs.call(stub -> stub.nodeGetStorageHealth(request));
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request) {
    return stubs.call(stub -> stub.nodeExpandVolume(request));
  }
}

package dev.berth.driver.serve;

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
import dev.berth.driver.spi.Driver;
import io.grpc.stub.StreamObserver;

/// The Node service of every driver: which method answers which call.
public final class NodeService extends NodeGrpc.NodeImplBase {
  private final NodeGetCapabilitiesResponse capabilities;
  private final NodeCalls calls;

  public NodeService(Driver driver, Parts parts, InFlight inFlight) {
    capabilities =
        NodeGetCapabilitiesResponse.newBuilder()
            .addAllCapabilities(new Abilities(parts, driver.usages()).ofNode())
            .build();
    calls = new NodeCalls(parts, driver.usages(), inFlight);
  }

  @Override
  public void nodeGetCapabilities(
      NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> caller) {
    Reply.look(request, caller, _ -> capabilities);
  }

  @Override
  public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> caller) {
    Reply.look(request, caller, _ -> calls.info());
  }

  @Override
  public void nodeStageVolume(
      NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> caller) {
    Reply.change(request, caller, calls::stage);
  }

  @Override
  public void nodeUnstageVolume(
      NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> caller) {
    Reply.change(request, caller, calls::unstage);
  }

  @Override
  public void nodePublishVolume(
      NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> caller) {
    Reply.change(request, caller, calls::publish);
  }

  @Override
  public void nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> caller) {
    Reply.change(request, caller, calls::unpublish);
  }

  @Override
  public void nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> caller) {
    Reply.look(request, caller, calls::stats);
  }

  @Override
  public void nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> caller) {
    Reply.look(request, caller, calls::health);
  }

  @Override
  public void nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> caller) {
    Reply.look(request, caller, _ -> calls.storageHealth());
  }

  @Override
  public void nodeExpandVolume(
      NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> caller) {
    Reply.change(request, caller, calls::expand);
  }
}

package dev.berth.csi.client;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.GroupControllerGrpc;

/// The calls of the service GroupController over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcGroupController(Stubs<GroupControllerGrpc.GroupControllerBlockingStub> stubs)
    implements GroupControllerCalls {

  @Override
  public GroupControllerGetCapabilitiesResponse groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request) {
    return stubs.call(stub -> stub.groupControllerGetCapabilities(request));
  }

  @Override
  public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request) {
    return stubs.call(stub -> stub.createVolumeGroupSnapshot(request));
  }

  @Override
  public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request) {
    return stubs.call(stub -> stub.deleteVolumeGroupSnapshot(request));
  }

  @Override
  public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request) {
    return stubs.call(stub -> stub.getVolumeGroupSnapshot(request));
  }
}

package dev.berth.csi.client;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeResponse;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.GetSnapshotResponse;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesResponse;

/// The calls of the service Controller over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcController(Stubs<ControllerGrpc.ControllerBlockingStub> stubs)
    implements ControllerCalls {

  @Override
  public ControllerGetCapabilitiesResponse controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request) {
    return stubs.call(stub -> stub.controllerGetCapabilities(request));
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request) {
    return stubs.call(stub -> stub.createVolume(request));
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
    return stubs.call(stub -> stub.deleteVolume(request));
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request) {
    return stubs.call(stub -> stub.controllerExpandVolume(request));
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request) {
    return stubs.call(stub -> stub.controllerModifyVolume(request));
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request) {
    return stubs.call(stub -> stub.controllerPublishVolume(request));
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request) {
    return stubs.call(stub -> stub.controllerUnpublishVolume(request));
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request) {
    return stubs.call(stub -> stub.validateVolumeCapabilities(request));
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request) {
    return stubs.call(stub -> stub.listVolumes(request));
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request) {
    return stubs.call(stub -> stub.controllerGetVolume(request));
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request) {
    return stubs.call(stub -> stub.controllerListVolumeHealth(request));
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request) {
    return stubs.call(stub -> stub.controllerGetVolumeHealth(request));
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request) {
    return stubs.call(stub -> stub.getCapacity(request));
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request) {
    return stubs.call(stub -> stub.createSnapshot(request));
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request) {
    return stubs.call(stub -> stub.deleteSnapshot(request));
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request) {
    return stubs.call(stub -> stub.listSnapshots(request));
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request) {
    return stubs.call(stub -> stub.getSnapshot(request));
  }
}

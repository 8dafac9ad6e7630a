package dev.berth.sidecar.testing;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeResponse;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotResponse;
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
import io.grpc.Status;

/// The calls that the sidecars do not make yet.
public abstract class NoCalls implements ControllerCalls {
  private static CsiException refused() {
    return new CsiException(Status.Code.UNIMPLEMENTED, "not a call of these sidecars");
  }

  @Override
  public ControllerGetCapabilitiesResponse controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request) {
    throw refused();
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request) {
    throw refused();
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request) {
    throw refused();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request) {
    throw refused();
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request) {
    throw refused();
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request) {
    throw refused();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request) {
    throw refused();
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request) {
    throw refused();
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request) {
    throw refused();
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request) {
    throw refused();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request) {
    throw refused();
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request) {
    throw refused();
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request) {
    throw refused();
  }
}

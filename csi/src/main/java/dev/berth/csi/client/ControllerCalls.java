package dev.berth.csi.client;

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

/// Volumes and snapshots as a driver's back end knows them. Every method is the RPC of its name,
/// blocks until the answer and throws [CsiException] if there is none or it is a refusal.
public interface ControllerCalls {
  ControllerGetCapabilitiesResponse controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request);

  CreateVolumeResponse createVolume(CreateVolumeRequest request);

  DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request);

  ControllerExpandVolumeResponse controllerExpandVolume(ControllerExpandVolumeRequest request);

  ControllerModifyVolumeResponse controllerModifyVolume(ControllerModifyVolumeRequest request);

  ControllerPublishVolumeResponse controllerPublishVolume(ControllerPublishVolumeRequest request);

  ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request);

  ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request);

  ListVolumesResponse listVolumes(ListVolumesRequest request);

  ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request);

  ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request);

  ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request);

  GetCapacityResponse getCapacity(GetCapacityRequest request);

  CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request);

  DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request);

  ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request);

  GetSnapshotResponse getSnapshot(GetSnapshotRequest request);
}

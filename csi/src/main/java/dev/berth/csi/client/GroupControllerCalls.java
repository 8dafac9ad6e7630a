package dev.berth.csi.client;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;

/// Snapshots of several volumes at one point in time. Every method is the RPC of its name, blocks
/// until the answer and throws [CsiException] if there is none or it is a refusal.
public interface GroupControllerCalls {
  GroupControllerGetCapabilitiesResponse groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request);

  CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request);

  DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request);

  GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest request);
}

package dev.berth.simulation.driver;

import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerServiceCapability.RPC;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import java.util.List;

/// The group controller service.
record GroupDoor(Shots shots, Door door) implements GroupControllerCalls {
  @Override
  public GroupControllerGetCapabilitiesResponse groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request) {
    return GroupControllerGetCapabilitiesResponse.newBuilder()
        .addCapabilities(
            GroupControllerServiceCapability.newBuilder()
                .setRpc(RPC.newBuilder().setType(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
        .build();
  }

  @Override
  public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request) {
    var name = request.getName();
    var cut = door.create(name, () -> shots.cutGroup(name, request.getSourceVolumeIdsList()));
    return CreateVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(answer(cut)).build();
  }

  private VolumeGroupSnapshot answer(List<Shots.Shot> cut) {
    var group = cut.getFirst().group();
    var ready = shots.ready(group);
    var answer = VolumeGroupSnapshot.newBuilder().setGroupSnapshotId(group).setReadyToUse(ready);
    for (var shot : cut) answer.addSnapshots(ControllerDoor.told(shot, ready));
    return answer.build();
  }

  @Override
  public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request) {
    var group = request.getGroupSnapshotId();
    return door.call(
        group,
        () -> {
          shots.discardGroup(group);
          return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
        });
  }

  @Override
  public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request) {
    throw ControllerDoor.cannot();
  }
}

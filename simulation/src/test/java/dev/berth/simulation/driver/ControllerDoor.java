package dev.berth.simulation.driver;

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
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.ControllerServiceCapability.RPC;
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
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.berth.csi.v1.Volume;
import io.grpc.Status.Code;
import java.util.Optional;
import java.util.stream.Stream;

/// The controller service.
record ControllerDoor(
    Backend backend, SimulatedDriver.Reach reach, SimulatedDriver.Ability ability, Door door)
    implements ControllerCalls {
  @Override
  public ControllerGetCapabilitiesResponse controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request) {
    var answer = ControllerGetCapabilitiesResponse.newBuilder();
    Stream.concat(
            Stream.of(RPC.Type.CREATE_DELETE_VOLUME, RPC.Type.PUBLISH_UNPUBLISH_VOLUME),
            switch (ability) {
              case NONE, SETS, CROWDS -> Stream.empty();
              case GROWTH -> Stream.of(RPC.Type.EXPAND_VOLUME);
              case HEALTH -> Stream.of(RPC.Type.LIST_VOLUME_HEALTH, RPC.Type.GET_VOLUME_HEALTH);
              case HEALTH_LISTED -> Stream.of(RPC.Type.LIST_VOLUME_HEALTH);
              case HEALTH_ASKED -> Stream.of(RPC.Type.GET_VOLUME_HEALTH);
              case SNAPSHOTS -> Stream.of(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
            })
        .forEach(type ->
            answer.addCapabilities(
                ControllerServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
    return answer.build();
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request) {
    var bytes = request.getCapacityRange().getRequiredBytes();
    return door.create(
        request.getName(),
        () -> {
          checkSource(request);
          return answer(request, backend.create(request.getName(), bytes, place(request)));
        });
  }

  private void checkSource(CreateVolumeRequest request) {
    var source = request.getVolumeContentSource().getSnapshot().getSnapshotId();
    if (!source.isEmpty() && backend.shots().find(source).isEmpty())
      throw new CsiException(Code.NOT_FOUND, "snapshot " + source + " does not exist");
  }

  private Optional<String> place(CreateVolumeRequest request) {
    if (reach == SimulatedDriver.Reach.NETWORK) return Optional.empty();
    var wanted = request.getAccessibilityRequirements();
    return Stream.concat(wanted.getPreferredList().stream(), wanted.getRequisiteList().stream())
        .map(topology -> topology.getSegmentsOrThrow(SimulatedDriver.TOPOLOGY))
        .findFirst()
        .or(() -> {
          throw new CsiException(Code.INVALID_ARGUMENT, "no topology is asked for");
        });
  }

  private static CreateVolumeResponse answer(CreateVolumeRequest request, Disk made) {
    var volume = Volume.newBuilder().setVolumeId(made.id()).setCapacityBytes(made.bytes());
    if (request.hasVolumeContentSource()) volume.setContentSource(request.getVolumeContentSource());
    made.onlyNode()
        .ifPresent(node ->
            volume.addAccessibleTopology(
                Topology.newBuilder().putSegments(SimulatedDriver.TOPOLOGY, node)));
    return CreateVolumeResponse.newBuilder().setVolume(volume).build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
    var id = request.getVolumeId();
    return door.call(
        id,
        () -> {
          backend.delete(id);
          return DeleteVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request) {
    var id = request.getVolumeId();
    return door.call(
        id,
        () -> {
          backend.attach(id, request.getNodeId());
          return ControllerPublishVolumeResponse.newBuilder()
              .putPublishContext("device", "/dev/" + id)
              .build();
        });
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request) {
    var id = request.getVolumeId();
    return door.call(
        id,
        () -> {
          backend.detach(id, request.getNodeId());
          return ControllerUnpublishVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request) {
    var id = request.getVolumeId();
    var bytes = request.getCapacityRange().getRequiredBytes();
    backend.askGrowth(id, bytes);
    try {
      var disk = door.call(id, () -> backend.grow(id, bytes));
      backend.endGrowth(id);
      return ControllerExpandVolumeResponse.newBuilder()
          .setCapacityBytes(disk.bytes())
          .setNodeExpansionRequired(disk.filled() < disk.bytes())
          .build();
    } catch (CsiException failure) {
      if (!failure.uncertainOrExhausted()) backend.endGrowth(id);
      throw failure;
    }
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request) {
    throw cannot();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request) {
    throw cannot();
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request) {
    throw cannot();
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request) {
    throw cannot();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request) {
    return door.call("health", () -> new HealthDoor(backend).list(request.getStartingToken()));
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request) {
    var id = request.getVolumeId();
    return door.call(id, () -> new HealthDoor(backend).get(id));
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request) {
    throw cannot();
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request) {
    var name = request.getName();
    var shot = door.create(name, () -> backend.shots().cut(name, request.getSourceVolumeId()));
    return CreateSnapshotResponse.newBuilder()
        .setSnapshot(told(shot, backend.shots().ready(shot.id())))
        .build();
  }

  static Snapshot told(Shots.Shot shot, boolean ready) {
    return Snapshot.newBuilder()
        .setSnapshotId(shot.id())
        .setSourceVolumeId(shot.volume())
        .setGroupSnapshotId(shot.group())
        .setReadyToUse(ready)
        .build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request) {
    var id = request.getSnapshotId();
    return door.call(
        id,
        () -> {
          backend.shots().discard(id);
          return DeleteSnapshotResponse.getDefaultInstance();
        });
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request) {
    var id = request.getSnapshotId();
    var found = door.call(id, () -> backend.shots().find(id));
    var answer = ListSnapshotsResponse.newBuilder();
    found.ifPresent(shot ->
        answer.addEntries(
            ListSnapshotsResponse.Entry.newBuilder()
                .setSnapshot(told(shot, backend.shots().ready(id)))));
    return answer.build();
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request) {
    throw cannot();
  }

  static CsiException cannot() {
    return new CsiException(Code.UNIMPLEMENTED, "the simulated driver does not do that");
  }
}

package dev.berth.driver.serve;

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
import dev.berth.driver.spi.Driver;
import io.grpc.stub.StreamObserver;

/// The Controller service of every driver: which class answers which call.
public final class ControllerService extends ControllerGrpc.ControllerImplBase {
  private final ControllerGetCapabilitiesResponse capabilities;
  private final CreateVolume create;
  private final VolumeCalls volumes;
  private final PublishCalls publishing;
  private final LookCalls looks;
  private final SnapshotCalls snapshots;

  public ControllerService(Driver driver, Parts parts, InFlight inFlight) {
    var usages = driver.usages();
    capabilities =
        ControllerGetCapabilitiesResponse.newBuilder()
            .addAllCapabilities(new Abilities(parts, usages).ofController())
            .build();
    create = new CreateVolume(parts, usages, inFlight);
    volumes = new VolumeCalls(parts, usages, inFlight);
    publishing = new PublishCalls(parts, usages, inFlight, new Moves());
    looks = new LookCalls(parts, usages);
    snapshots = new SnapshotCalls(parts, inFlight);
  }

  @Override
  public void controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request,
      StreamObserver<ControllerGetCapabilitiesResponse> caller) {
    Reply.look(request, caller, _ -> capabilities);
  }

  @Override
  public void createVolume(
      CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> caller) {
    Reply.change(request, caller, create::answer);
  }

  @Override
  public void deleteVolume(
      DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> caller) {
    Reply.change(request, caller, volumes::delete);
  }

  @Override
  public void controllerExpandVolume(
      ControllerExpandVolumeRequest request,
      StreamObserver<ControllerExpandVolumeResponse> caller) {
    Reply.change(request, caller, volumes::expand);
  }

  @Override
  public void controllerModifyVolume(
      ControllerModifyVolumeRequest request,
      StreamObserver<ControllerModifyVolumeResponse> caller) {
    Reply.change(request, caller, volumes::modify);
  }

  @Override
  public void controllerPublishVolume(
      ControllerPublishVolumeRequest request,
      StreamObserver<ControllerPublishVolumeResponse> caller) {
    Reply.change(request, caller, publishing::publish);
  }

  @Override
  public void controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request,
      StreamObserver<ControllerUnpublishVolumeResponse> caller) {
    Reply.change(request, caller, publishing::unpublish);
  }

  @Override
  public void validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request,
      StreamObserver<ValidateVolumeCapabilitiesResponse> caller) {
    Reply.look(request, caller, volumes::validate);
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
    Reply.look(request, caller, looks::list);
  }

  @Override
  public void controllerGetVolume(
      ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> caller) {
    Reply.look(request, caller, looks::get);
  }

  @Override
  public void controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request,
      StreamObserver<ControllerListVolumeHealthResponse> caller) {
    Reply.look(request, caller, looks::listHealth);
  }

  @Override
  public void controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request,
      StreamObserver<ControllerGetVolumeHealthResponse> caller) {
    Reply.look(request, caller, looks::getHealth);
  }

  @Override
  public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> caller) {
    Reply.look(request, caller, looks::capacity);
  }

  @Override
  public void createSnapshot(
      CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> caller) {
    Reply.change(request, caller, snapshots::create);
  }

  @Override
  public void deleteSnapshot(
      DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> caller) {
    Reply.change(request, caller, snapshots::delete);
  }

  @Override
  public void listSnapshots(
      ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> caller) {
    Reply.look(request, caller, snapshots::list);
  }

  @Override
  public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> caller) {
    Reply.look(request, caller, snapshots::get);
  }
}

package dev.berth.bench.rpc;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/// A volume with a file system from its making to its end, each call timed.
record Life(Peer peer, Times times, Path folder) {
  static final long BYTES = 64L << 20;

  static CreateVolumeRequest volume(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .addVolumeCapabilities(use())
        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(BYTES))
        .build();
  }

  static VolumeCapability use() {
    var use = VolumeCapability.newBuilder();
    use.getMountBuilder().setFsType("ext4");
    use.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    return use.build();
  }

  void live(String name) throws IOException {
    var connection = peer.connection();
    var identity = connection.identity(Peer.PATIENCE);
    var controller = connection.controller(Peer.PATIENCE);
    time("Probe", () -> identity.probe(ProbeRequest.getDefaultInstance()));
    time("GetPluginInfo", () -> identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
    time(
        "ControllerGetCapabilities",
        () ->
            controller.controllerGetCapabilities(
                ControllerGetCapabilitiesRequest.getDefaultInstance()));
    time("GetCapacity", () -> controller.getCapacity(GetCapacityRequest.getDefaultInstance()));
    var id =
        times
            .of("CreateVolume", () -> controller.createVolume(volume(name)))
            .getVolume()
            .getVolumeId();
    time(
        "ValidateVolumeCapabilities",
        () ->
            controller.validateVolumeCapabilities(
                ValidateVolumeCapabilitiesRequest.newBuilder()
                    .setVolumeId(id)
                    .addVolumeCapabilities(use())
                    .build()));
    time("ListVolumes", () -> controller.listVolumes(ListVolumesRequest.getDefaultInstance()));
    time(
        "ControllerPublishVolume",
        () ->
            controller.controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setNodeId(peer.nodeId())
                    .setVolumeCapability(use())
                    .build()));
    onNode(id, name);
    time(
        "ControllerUnpublishVolume",
        () ->
            controller.controllerUnpublishVolume(
                ControllerUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setNodeId(peer.nodeId())
                    .build()));
    snapshots(id, name);
    time(
        "ControllerExpandVolume",
        () ->
            controller.controllerExpandVolume(
                ControllerExpandVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * BYTES))
                    .build()));
    time(
        "DeleteVolume",
        () -> controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build()));
  }

  private void onNode(String id, String name) throws IOException {
    var node = peer.connection().node(Peer.PATIENCE);
    var staging = Files.createDirectory(folder.resolve(name));
    var target = folder.resolve(name + "-target");
    time("NodeGetInfo", () -> node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
    time(
        "NodeGetCapabilities",
        () -> node.nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance()));
    time(
        "NodeStageVolume",
        () ->
            node.nodeStageVolume(
                NodeStageVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setStagingTargetPath(staging.toString())
                    .setVolumeCapability(use())
                    .build()));
    time(
        "NodePublishVolume",
        () ->
            node.nodePublishVolume(
                NodePublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setStagingTargetPath(staging.toString())
                    .setTargetPath(target.toString())
                    .setVolumeCapability(use())
                    .build()));
    time(
        "NodeGetVolumeStats",
        () ->
            node.nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(id)
                    .setVolumePath(target.toString())
                    .build()));
    time(
        "NodeUnpublishVolume",
        () ->
            node.nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setTargetPath(target.toString())
                    .build()));
    time(
        "NodeUnstageVolume",
        () ->
            node.nodeUnstageVolume(
                NodeUnstageVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setStagingTargetPath(staging.toString())
                    .build()));
    Files.deleteIfExists(staging);
  }

  private void snapshots(String id, String name) {
    var controller = peer.connection().controller(Peer.PATIENCE);
    var snapshot =
        times
            .of(
                "CreateSnapshot",
                () ->
                    controller.createSnapshot(
                        CreateSnapshotRequest.newBuilder()
                            .setName(name)
                            .setSourceVolumeId(id)
                            .build()))
            .getSnapshot()
            .getSnapshotId();
    time(
        "ListSnapshots", () -> controller.listSnapshots(ListSnapshotsRequest.getDefaultInstance()));
    time(
        "DeleteSnapshot",
        () ->
            controller.deleteSnapshot(
                DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build()));
  }

  /// What a driver does not have is left out.
  private void time(String name, Supplier<?> call) {
    try {
      times.of(name, call);
    } catch (CsiException e) {
      if (e.code() != Status.Code.UNIMPLEMENTED) throw e;
    }
  }
}

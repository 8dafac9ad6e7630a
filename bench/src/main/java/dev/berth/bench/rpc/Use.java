package dev.berth.bench.rpc;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A volume with a file system, attached to the driver's node, and where it is used there.
record Use(Peer peer, String id, Path staging, Path target) {
  /// @param folder where it is staged and published
  static Use make(Peer peer, String name, Path folder) throws IOException {
    var controller = peer.connection().controller(Peer.PATIENCE);
    var id = controller.createVolume(Life.volume(name)).getVolume().getVolumeId();
    var use =
        new Use(
            peer,
            id,
            Files.createDirectories(folder.resolve(name)),
            folder.resolve(name + "-target"));
    controller.controllerPublishVolume(
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setNodeId(peer.nodeId())
            .setVolumeCapability(Life.use())
            .build());
    return use;
  }

  void stage() {
    peer.connection()
        .node(Peer.PATIENCE)
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(Life.use())
                .build());
  }

  void publish() {
    peer.connection()
        .node(Peer.PATIENCE)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(Life.use())
                .build());
  }

  void stats() {
    peer.connection()
        .node(Peer.PATIENCE)
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(target.toString())
                .build());
  }

  void unpublish() {
    peer.connection()
        .node(Peer.PATIENCE)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
  }

  void unstage() {
    peer.connection()
        .node(Peer.PATIENCE)
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build());
  }

  void remove() throws IOException {
    var controller = peer.connection().controller(Peer.PATIENCE);
    controller.controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setNodeId(peer.nodeId())
            .build());
    controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    Files.deleteIfExists(staging);
  }
}

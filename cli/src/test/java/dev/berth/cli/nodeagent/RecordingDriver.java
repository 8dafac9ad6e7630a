package dev.berth.cli.nodeagent;

import com.google.protobuf.Message;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;
import dev.berth.csi.v1.Topology;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A driver that fills folders instead of mounting, and notes what it is asked.
final class RecordingDriver implements AutoCloseable {
  static final String NAME = "recording.example";

  /// What it publishes as a device.
  volatile Optional<Path> device = Optional.empty();

  /// What it was asked to do, in order.
  final List<Message> calls = new CopyOnWriteArrayList<>();

  private final SocketServer server;
  private final Registrar registrar;

  /// @param root the node's, below which it is reached
  RecordingDriver(Path root) throws IOException {
    var socket = Files.createDirectories(root.resolve("plugins").resolve(NAME)).resolve("csi.sock");
    server =
        SocketServer.start(
            new SocketPath(socket), Takeover.IF_DEAD, List.of(new Node().bindService()), List.of());
    registrar =
        new Registrar(
            NAME, Files.createDirectories(root.resolve("plugins_registry")), socket.toString());
    registrar.start();
  }

  /// The requests of one kind, in order.
  <M extends Message> List<M> calls(Class<M> kind) {
    return calls.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private final class Node extends NodeGrpc.NodeImplBase {
    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> to) {
      var here = Topology.newBuilder().putSegments("zone.example", "a");
      to.onNext(
          NodeGetInfoResponse.newBuilder()
              .setNodeId("one")
              .setMaxVolumesPerNode(7)
              .setAccessibleTopology(here)
              .build());
      to.onCompleted();
    }

    @Override
    public void nodeGetCapabilities(
        NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> to) {
      var stages = RPC.newBuilder().setType(RPC.Type.STAGE_UNSTAGE_VOLUME);
      to.onNext(
          NodeGetCapabilitiesResponse.newBuilder()
              .addCapabilities(NodeServiceCapability.newBuilder().setRpc(stages))
              .build());
      to.onCompleted();
    }

    @Override
    public void nodeStageVolume(
        NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> to) {
      answer(request, () -> {}, NodeStageVolumeResponse.getDefaultInstance(), to);
    }

    @Override
    public void nodePublishVolume(
        NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> to) {
      var target = Path.of(request.getTargetPath());
      answer(
          request,
          () -> {
            if (request.getVolumeCapability().hasBlock()) {
              Files.deleteIfExists(target);
              Files.createSymbolicLink(target, device.orElseThrow());
              return;
            }
            Files.createDirectories(target);
            Files.writeString(target.resolve("id"), request.getVolumeId());
          },
          NodePublishVolumeResponse.getDefaultInstance(),
          to);
    }

    @Override
    public void nodeUnpublishVolume(
        NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> to) {
      var target = Path.of(request.getTargetPath());
      answer(
          request,
          () -> {
            if (!Files.isDirectory(target)) {
              Files.deleteIfExists(target);
              return;
            }
            try (var files = Files.list(target)) {
              for (var file : files.toList()) Files.delete(file);
            }
            Files.delete(target);
          },
          NodeUnpublishVolumeResponse.getDefaultInstance(),
          to);
    }

    @Override
    public void nodeUnstageVolume(
        NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> to) {
      answer(request, () -> {}, NodeUnstageVolumeResponse.getDefaultInstance(), to);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private <R> void answer(Message request, Work work, R answer, StreamObserver<R> to) {
    calls.add(request);
    try {
      work.run();
    } catch (IOException failed) {
      to.onError(Status.INTERNAL.withDescription(failed.toString()).asRuntimeException());
      return;
    }
    to.onNext(answer);
    to.onCompleted();
  }

  /// Its registration socket goes first, as a driver's does that is stopped.
  @Override
  public void close() {
    registrar.close();
    server.stop(Duration.ofSeconds(5));
  }
}

package dev.berth.cli.nodeplugin;

import com.google.protobuf.BoolValue;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A driver that says what the test tells it to say.
final class ScriptedDriver implements AutoCloseable {
  final AtomicInteger probes = new AtomicInteger();
  volatile String name = "d.example";
  volatile Optional<Boolean> ready = Optional.of(true);
  volatile Optional<Status> failure = Optional.empty();
  volatile Optional<Status> nameless = Optional.empty();
  volatile List<NodeServiceCapability.RPC.Type> capabilities = List.of();

  /// Calls that have come, answered or not.
  final AtomicInteger calls = new AtomicInteger();

  /// Calls wait for it.
  volatile CountDownLatch gate = new CountDownLatch(0);

  private final SocketServer server;

  private ScriptedDriver(Path socket) throws IOException {
    server =
        SocketServer.start(
            new SocketPath(socket),
            Takeover.IF_DEAD,
            List.of(new Identity().bindService(), new Node().bindService()),
            List.of());
  }

  static ScriptedDriver at(Path socket) throws IOException {
    return new ScriptedDriver(socket);
  }

  static ScriptedDriver at(Path socket, String name) throws IOException {
    var driver = new ScriptedDriver(socket);
    driver.name = name;
    return driver;
  }

  private void pass() {
    calls.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Identity extends IdentityGrpc.IdentityImplBase {
    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
      pass();
      if (nameless.isPresent()) {
        caller.onError(nameless.get().asRuntimeException());
        return;
      }
      caller.onNext(GetPluginInfoResponse.newBuilder().setName(name).build());
      caller.onCompleted();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
      probes.incrementAndGet();
      pass();
      if (failure.isPresent()) {
        caller.onError(failure.get().asRuntimeException());
        return;
      }
      var answer = ProbeResponse.newBuilder();
      ready.map(BoolValue::of).ifPresent(answer::setReady);
      caller.onNext(answer.build());
      caller.onCompleted();
    }
  }

  private final class Node extends NodeGrpc.NodeImplBase {
    @Override
    public void nodeGetCapabilities(
        NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> caller) {
      var answer = NodeGetCapabilitiesResponse.newBuilder();
      for (var type : capabilities)
        answer.addCapabilities(
            NodeServiceCapability.newBuilder()
                .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type)));
      caller.onNext(answer.build());
      caller.onCompleted();
    }
  }

  @Override
  public void close() {
    gate.countDown();
    server.stop(Duration.ofSeconds(5));
  }
}

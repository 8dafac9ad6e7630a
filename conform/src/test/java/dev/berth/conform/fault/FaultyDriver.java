package dev.berth.conform.fault;

import com.google.protobuf.Message;
import dev.berth.conform.DiskUnderTest;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// A driver with a fault: a socket in front of the right driver's.
final class FaultyDriver implements AutoCloseable {
  private final CsiConnection driver;
  private final Fault fault;
  private final Path folder;
  private final SocketServer server;
  private final Path socket;

  FaultyDriver(DiskUnderTest disk, Fault fault) throws IOException {
    this.driver = CsiConnection.open(disk.socket());
    this.fault = fault;
    this.folder = disk.folder();
    this.socket = disk.folder().resolve("bad.sock");
    var services =
        Stream.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor())
            .map(this::service)
            .toList();
    this.server = SocketServer.start(new SocketPath(socket), Takeover.IF_DEAD, services, List.of());
  }

  Path socket() {
    return socket;
  }

  @SuppressWarnings("unchecked") // every method of CSI is of messages
  private ServerServiceDefinition service(ServiceDescriptor descriptor) {
    var service = ServerServiceDefinition.builder(descriptor);
    for (var method : descriptor.getMethods()) {
      var rpc = (MethodDescriptor<Message, Message>) method;
      service.addMethod(rpc, handler(rpc));
    }
    return service.build();
  }

  private ServerCallHandler<Message, Message> handler(MethodDescriptor<Message, Message> rpc) {
    return rpc.getType().serverSendsOneMessage()
        ? ServerCalls.asyncUnaryCall((request, caller) -> answer(rpc, request, caller))
        : ServerCalls.asyncServerStreamingCall((request, caller) -> answer(rpc, request, caller));
  }

  private void answer(
      MethodDescriptor<Message, Message> rpc, Message request, StreamObserver<Message> caller) {
    try {
      var answers = fault.answer(new Call(rpc, request, driver.channel(), folder));
      answers.forEach(caller::onNext);
      caller.onCompleted();
    } catch (StatusRuntimeException refusal) {
      caller.onError(refusal);
    }
  }

  /// Goes away, as a driver that crashed.
  void stop() {
    server.stop(Duration.ofSeconds(5));
  }

  @Override
  public void close() {
    stop();
    driver.close();
  }
}

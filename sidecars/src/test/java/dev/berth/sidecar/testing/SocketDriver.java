package dev.berth.sidecar.testing;

import com.google.protobuf.BoolValue;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerServiceCapability.RPC;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import dev.berth.sidecar.connection.DriverFacts;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// A driver behind a Unix socket. It says a few times that it is not ready.
public final class SocketDriver implements AutoCloseable {
  private final DriverFacts facts;
  private final ControllerCalls calls;
  private final AtomicInteger notReady = new AtomicInteger(2);
  private final SocketServer server;

  public SocketDriver(Path socket, DriverFacts facts, ControllerCalls calls) throws IOException {
    this.facts = facts;
    this.calls = calls;
    server =
        SocketServer.start(
            new SocketPath(socket),
            Takeover.IF_DEAD,
            List.of(new Identity().bindService(), new Controller().bindService()),
            List.of());
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
  }

  private static <T> void answer(StreamObserver<T> observer, Supplier<T> call) {
    try {
      observer.onNext(call.get());
      observer.onCompleted();
    } catch (CsiException refusal) {
      observer.onError(
          Status.fromCode(refusal.code())
              .withDescription(refusal.description())
              .asRuntimeException());
    }
  }

  private final class Identity extends IdentityGrpc.IdentityImplBase {
    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
      var ready = BoolValue.of(notReady.getAndDecrement() <= 0);
      answer(observer, () -> ProbeResponse.newBuilder().setReady(ready).build());
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
      answer(observer, () -> GetPluginInfoResponse.newBuilder().setName(facts.name()).build());
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request,
        StreamObserver<GetPluginCapabilitiesResponse> observer) {
      var answer = GetPluginCapabilitiesResponse.newBuilder();
      facts
          .plugin()
          .forEach(type ->
              answer
                  .addCapabilitiesBuilder()
                  .setService(PluginCapability.Service.newBuilder().setType(type)));
      answer(observer, answer::build);
    }
  }

  private final class Controller extends ControllerGrpc.ControllerImplBase {
    @Override
    public void controllerGetCapabilities(
        ControllerGetCapabilitiesRequest request,
        StreamObserver<ControllerGetCapabilitiesResponse> observer) {
      var answer = ControllerGetCapabilitiesResponse.newBuilder();
      facts
          .controller()
          .forEach(type -> answer.addCapabilitiesBuilder().setRpc(RPC.newBuilder().setType(type)));
      answer(observer, answer::build);
    }

    @Override
    public void createVolume(
        CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
      answer(observer, () -> calls.createVolume(request));
    }

    @Override
    public void deleteVolume(
        DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
      answer(observer, () -> calls.deleteVolume(request));
    }

    @Override
    public void controllerPublishVolume(
        ControllerPublishVolumeRequest request,
        StreamObserver<ControllerPublishVolumeResponse> observer) {
      answer(observer, () -> calls.controllerPublishVolume(request));
    }

    @Override
    public void controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest request,
        StreamObserver<ControllerUnpublishVolumeResponse> observer) {
      answer(observer, () -> calls.controllerUnpublishVolume(request));
    }
  }
}

package dev.berth.bench.sidecars;

import com.google.protobuf.Timestamp;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerGrpc;
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
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.Volume;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// `NoOpDriver SOCKET`: a CSI driver that says yes to everything at once and keeps nothing. Ids are
/// names.
public final class NoOpDriver {
  static final String NAME = "noop.bench.berth.dev";
  private static final List<RPC.Type> ABLE =
      List.of(
          RPC.Type.CREATE_DELETE_VOLUME,
          RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
          RPC.Type.CREATE_DELETE_SNAPSHOT);

  private NoOpDriver() {}

  public static void main(String[] args) throws Exception {
    var _ =
        SocketServer.start(
            new SocketPath(Path.of(args[0])),
            Takeover.IF_DEAD,
            List.of(new Identity().bindService(), new Controller().bindService()),
            List.of());
    new CountDownLatch(1).await();
  }

  private static <T> void answer(StreamObserver<T> observer, T answer) {
    observer.onNext(answer);
    observer.onCompleted();
  }

  private static final class Identity extends IdentityGrpc.IdentityImplBase {
    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
      answer(observer, ProbeResponse.getDefaultInstance());
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
      answer(
          observer, GetPluginInfoResponse.newBuilder().setName(NAME).setVendorVersion("1").build());
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request,
        StreamObserver<GetPluginCapabilitiesResponse> observer) {
      var answer = GetPluginCapabilitiesResponse.newBuilder();
      var service = PluginCapability.Service.newBuilder();
      answer
          .addCapabilitiesBuilder()
          .setService(service.setType(PluginCapability.Service.Type.CONTROLLER_SERVICE));
      answer(observer, answer.build());
    }
  }

  private static final class Controller extends ControllerGrpc.ControllerImplBase {
    @Override
    public void controllerGetCapabilities(
        ControllerGetCapabilitiesRequest request,
        StreamObserver<ControllerGetCapabilitiesResponse> observer) {
      var answer = ControllerGetCapabilitiesResponse.newBuilder();
      ABLE.forEach(type ->
          answer.addCapabilities(
              ControllerServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
      answer(observer, answer.build());
    }

    @Override
    public void createVolume(
        CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
      var volume =
          Volume.newBuilder()
              .setVolumeId(request.getName())
              .setCapacityBytes(request.getCapacityRange().getRequiredBytes());
      if (request.hasVolumeContentSource())
        volume.setContentSource(request.getVolumeContentSource());
      answer(observer, CreateVolumeResponse.newBuilder().setVolume(volume).build());
    }

    @Override
    public void deleteVolume(
        DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
      answer(observer, DeleteVolumeResponse.getDefaultInstance());
    }

    @Override
    public void controllerPublishVolume(
        ControllerPublishVolumeRequest request,
        StreamObserver<ControllerPublishVolumeResponse> observer) {
      answer(observer, ControllerPublishVolumeResponse.getDefaultInstance());
    }

    @Override
    public void controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest request,
        StreamObserver<ControllerUnpublishVolumeResponse> observer) {
      answer(observer, ControllerUnpublishVolumeResponse.getDefaultInstance());
    }

    @Override
    public void createSnapshot(
        CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> observer) {
      var snapshot =
          Snapshot.newBuilder()
              .setSnapshotId(request.getName())
              .setSourceVolumeId(request.getSourceVolumeId())
              .setCreationTime(Timestamp.newBuilder().setSeconds(1))
              .setSizeBytes(1 << 20)
              .setReadyToUse(true);
      answer(observer, CreateSnapshotResponse.newBuilder().setSnapshot(snapshot).build());
    }

    @Override
    public void deleteSnapshot(
        DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> observer) {
      answer(observer, DeleteSnapshotResponse.getDefaultInstance());
    }
  }
}

package dev.berth.node.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.cri.v1.LinuxPodSandboxStatus;
import dev.berth.node.runtime.cri.v1.ListContainersRequest;
import dev.berth.node.runtime.cri.v1.ListContainersResponse;
import dev.berth.node.runtime.cri.v1.ListPodSandboxRequest;
import dev.berth.node.runtime.cri.v1.ListPodSandboxResponse;
import dev.berth.node.runtime.cri.v1.Namespace;
import dev.berth.node.runtime.cri.v1.NamespaceMode;
import dev.berth.node.runtime.cri.v1.NamespaceOption;
import dev.berth.node.runtime.cri.v1.PodSandbox;
import dev.berth.node.runtime.cri.v1.PodSandboxNetworkStatus;
import dev.berth.node.runtime.cri.v1.PodSandboxStatus;
import dev.berth.node.runtime.cri.v1.PodSandboxStatusRequest;
import dev.berth.node.runtime.cri.v1.PodSandboxStatusResponse;
import dev.berth.node.runtime.cri.v1.RuntimeServiceGrpc.RuntimeServiceImplBase;
import dev.berth.node.runtime.cri.v1.StatusRequest;
import dev.berth.node.runtime.cri.v1.StatusResponse;
import dev.berth.node.runtime.cri.v1.VersionRequest;
import dev.berth.node.runtime.cri.v1.VersionResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where probes and forwarded ports reach a pod (NRUN-10), by an engine that gives pods addresses:
/// a real one does so with network plugins only.
class PodAddressTest {
  /// Of the machine too, and not where its own programs listen by that name.
  private static final String POD_ADDRESS = "127.0.0.2";

  private SocketServer server;
  private CriRuntime runtime;
  private Layout layout;
  private NamespaceMode network = NamespaceMode.POD;
  private String address = POD_ADDRESS;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    var socket = new SocketPath(folder.resolve("e.sock"));
    layout = new Layout(folder.resolve("node"));
    server =
        SocketServer.start(
            socket, Takeover.IF_DEAD, List.of(new Engine().bindService()), List.of());
    runtime = CriRuntime.open(layout, socket);
  }

  @AfterEach
  void stop() {
    runtime.close();
    server.stop(Duration.ZERO);
  }

  /// Has one sandbox, of the pod `uid-1`.
  private final class Engine extends RuntimeServiceImplBase {
    @Override
    public void version(VersionRequest request, StreamObserver<VersionResponse> to) {
      answer(to, VersionResponse.newBuilder().setRuntimeName("test").build());
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
      answer(to, StatusResponse.getDefaultInstance());
    }

    @Override
    public void listContainers(
        ListContainersRequest request, StreamObserver<ListContainersResponse> to) {
      answer(to, ListContainersResponse.getDefaultInstance());
    }

    @Override
    public void listPodSandbox(
        ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> to) {
      var sandbox =
          PodSandbox.newBuilder()
              .setId("s-1")
              .putLabels(Owner.POD_UID, "uid-1")
              .putLabels(Owner.ROOT, layout.root().toString());
      boolean asked = request.getFilter().getLabelSelectorMap().containsValue("uid-1");
      var all = ListPodSandboxResponse.newBuilder();
      answer(to, asked ? all.addItems(sandbox).build() : all.build());
    }

    @Override
    public void podSandboxStatus(
        PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> to) {
      var namespaces =
          Namespace.newBuilder().setOptions(NamespaceOption.newBuilder().setNetwork(network));
      answer(
          to,
          PodSandboxStatusResponse.newBuilder()
              .setStatus(
                  PodSandboxStatus.newBuilder()
                      .setId(request.getPodSandboxId())
                      .setLinux(LinuxPodSandboxStatus.newBuilder().setNamespaces(namespaces))
                      .setNetwork(PodSandboxNetworkStatus.newBuilder().setIp(address)))
              .build());
    }

    private static <T> void answer(StreamObserver<T> to, T message) {
      to.onNext(message);
      to.onCompleted();
    }
  }

  private static ServerSocket listen(String address) throws IOException {
    return new ServerSocket(0, 1, InetAddress.ofLiteral(address));
  }

  private InetSocketAddress reached(int port) throws IOException {
    try (var channel = runtime.connect("uid-1", port)) {
      return (InetSocketAddress) channel.getRemoteAddress();
    }
  }

  @Test
  void aPodWithANetworkOfItsOwnIsReachedThere() throws Exception {
    try (var listener = listen(POD_ADDRESS)) {
      int port = listener.getLocalPort();
      assertThat(reached(port)).isEqualTo(new InetSocketAddress(POD_ADDRESS, port));
    }
    try (var machine = listen("127.0.0.1")) {
      assertThatThrownBy(() -> reached(machine.getLocalPort()))
          .as("what listens on the machine is not the pod's")
          .isInstanceOf(IOException.class);
    }
  }

  /// Who has as many callers waiting as fit drops what more come.
  @Test
  void whoDoesNotAnswerIsNotWaitedForAsLongAsTheKernelWould() throws Exception {
    var waiting = new ArrayList<SocketChannel>();
    try (var listener = listen(POD_ADDRESS)) {
      var port = new InetSocketAddress(POD_ADDRESS, listener.getLocalPort());
      for (int i = 0; i < 8; i++) {
        var channel = SocketChannel.open();
        waiting.add(channel);
        channel.configureBlocking(false);
        channel.connect(port);
      }
      assertThatThrownBy(() -> reached(listener.getLocalPort()))
          .isInstanceOf(SocketTimeoutException.class);
    } finally {
      for (var channel : waiting) channel.close();
    }
  }

  @Test
  void onTheMachinesNetworkItIsReachedAtLocalhost() throws Exception {
    network = NamespaceMode.NODE;
    address = "";
    try (var machine = listen("127.0.0.1")) {
      assertThat(reached(machine.getLocalPort()).getAddress().isLoopbackAddress()).isTrue();
    }
  }

  @Test
  void withoutAnAddressNobodyElseIsReached() throws Exception {
    address = "";
    try (var machine = listen("127.0.0.1")) {
      assertThatThrownBy(() -> reached(machine.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no address");
      assertThatThrownBy(() -> runtime.connect("uid-2", machine.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no sandbox");
    }
  }
}

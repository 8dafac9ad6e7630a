package dev.berth.csi.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// UDS-03 to UDS-12 on real sockets, by the JDK alone (GRPC-04).
class SocketServerTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private Path folder;
  private SocketPath socket;
  private final CountDownLatch probed = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("csi");
    socket = new SocketPath(folder.resolve("csi.sock"));
  }

  @AfterEach
  void removeFolder() throws IOException {
    answer.countDown();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) Files.delete(file);
    }
    Files.delete(folder);
  }

  @Test
  void servesItsOwnerOnlyAndLeavesNothingBehind() throws IOException {
    var server = start("one", Takeover.IF_DEAD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path())))
        .isEqualTo("rw-------");
    assertThat(name()).isEqualTo("one");
    assertThat(files()).containsExactly("csi.sock");

    server.stop(SOON);
    assertThat(files()).isEmpty();
  }

  @Test
  void aSocketLeftByACrashIsTakenOver() throws IOException { // UDS-04, GRPC-08
    var crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    crashed.bind(UnixDomainSocketAddress.of(socket.path()));
    crashed.close(); // the JDK leaves the file, as a killed process does

    var server = start("two", Takeover.IF_DEAD);
    assertThat(name()).isEqualTo("two");
    server.stop(SOON);
  }

  @Test
  void aSocketThatIsServedIsLeftAlone() throws IOException { // UDS-04
    var server = start("one", Takeover.IF_DEAD);
    assertThatThrownBy(() -> start("two", Takeover.IF_DEAD))
        .isInstanceOf(SocketInUseException.class)
        .hasMessageContaining(socket + " is served by another process");
    assertThat(name()).isEqualTo("one");
    server.stop(SOON);
  }

  @Test
  void aFileThatIsNoSocketIsLeftAlone() throws IOException { // UDS-04
    Files.writeString(socket.path(), "precious");
    assertThatThrownBy(() -> start("one", Takeover.IF_DEAD))
        .isInstanceOf(SocketInUseException.class)
        .hasMessageContaining("is not a socket");
    assertThat(socket.path()).hasContent("precious");
  }

  @Test
  void theOldVersionLeavesTheNewOnesSocketAlone() throws IOException {
    var old = start("old", Takeover.IF_DEAD);
    var fresh = start("fresh", Takeover.ALWAYS);
    assertThat(name()).isEqualTo("fresh");

    old.stop(SOON);
    assertThat(name()).as("after the old version's end").isEqualTo("fresh");
    fresh.stop(SOON);
    assertThat(files()).isEmpty();
  }

  @Test
  void aCallInFlightFinishesBeforeTheServerEnds() throws Exception {
    var server = start("one", Takeover.IF_DEAD);
    try (var connection = CsiConnection.open(socket.path())) {
      var probe =
          CompletableFuture.supplyAsync(
              () -> connection.identity(SOON).probe(ProbeRequest.getDefaultInstance()));
      assertThat(probed.await(10, TimeUnit.SECONDS)).isTrue();
      var stopped = CompletableFuture.runAsync(() -> server.stop(SOON));
      assertThat(stopped).isNotDone();
      answer.countDown();
      assertThat(probe.get(10, TimeUnit.SECONDS).getReady().getValue()).isTrue();
      stopped.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aHandlerThatWaitsHoldsUpNoOtherCallOfItsConnection() throws Exception { // GRPC-07
    var server = start("one", Takeover.IF_DEAD);
    try (var connection = CsiConnection.open(socket.path())) {
      var identity = connection.identity(SOON);
      var probe =
          CompletableFuture.supplyAsync(() -> identity.probe(ProbeRequest.getDefaultInstance()));
      assertThat(probed.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName())
          .isEqualTo("one");
      assertThat(probe).isNotDone();
      answer.countDown();
      assertThat(probe.get(10, TimeUnit.SECONDS).getReady().getValue()).isTrue();
    }
    server.stop(SOON);
  }

  @Test
  void aHandlerThatFailsLeavesItsEffectInDoubt() throws IOException {
    var server = start("one", Takeover.IF_DEAD);
    try (var connection = CsiConnection.open(socket.path())) {
      var identity = connection.identity(SOON);
      assertThatThrownBy(() ->
              identity.getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance()))
          .isInstanceOfSatisfying(CsiException.class, e -> assertThat(e.uncertain()).isTrue());
    }
    server.stop(SOON);
  }

  /// Java's clients take 8 KiB for all headers together, and lose the code with longer words.
  @Test
  void longWordsAreCutOnTheirWay() throws IOException {
    var server = start("wordy", Takeover.IF_DEAD);
    try (var connection = CsiConnection.open(socket.path())) {
      var plain = IdentityGrpc.newBlockingStub(connection.channel());
      assertThatThrownBy(
              () -> plain.getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
                assertThat(e.getStatus().getDescription())
                    .startsWith("first %")
                    .endsWith("% last")
                    .hasSizeLessThan(4096);
              });
    }
    server.stop(SOON);
  }

  @Test
  void aConnectionOutlivesItsDriver() throws IOException { // GRPC-13
    try (var connection = CsiConnection.open(socket.path())) {
      var identity = connection.identity(SOON);
      assertThatThrownBy(() -> identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
          .isInstanceOfSatisfying(
              CsiException.class,
              e -> {
                assertThat(e.code()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(e.uncertain()).isTrue();
                assertThat(e).hasMessageStartingWith("rpc error: code = Unavailable desc = ");
              });
      for (var version : List.of("one", "two")) {
        var server = start(version, Takeover.IF_DEAD);
        // The first call after the driver is back succeeds: no back-off is waited out.
        assertThat(identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName())
            .isEqualTo(version);
        server.stop(SOON);
      }
    }
  }

  /// GRPC-05: strict servers refuse a path as the name of a host.
  @Test
  void theServerIsNotCalledByItsPath() throws IOException {
    var called = new CopyOnWriteArrayList<@Nullable String>();
    var interceptor =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            called.add(call.getAuthority());
            return next.startCall(call, headers);
          }
        };
    var server =
        SocketServer.start(
            socket,
            Takeover.IF_DEAD,
            List.of(new Named("one").bindService()),
            List.of(interceptor));
    assertThat(name()).isEqualTo("one");
    assertThat(called).containsExactly("localhost");
    server.stop(SOON);
  }

  /// Whether a call may be made twice only the caller knows.
  @Test
  void whatIsRefusedIsNotAskedForAgain() throws IOException {
    var calls = new AtomicInteger();
    var busy =
        new IdentityGrpc.IdentityImplBase() {
          @Override
          public void getPluginInfo(
              GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
            calls.incrementAndGet();
            observer.onError(Status.UNAVAILABLE.withDescription("not now").asRuntimeException());
          }
        };
    var server =
        SocketServer.start(socket, Takeover.IF_DEAD, List.of(busy.bindService()), List.of());
    assertThatThrownBy(this::name).hasMessageContaining("not now");
    assertThat(calls).hasValue(1);
    server.stop(SOON);
  }

  /// GRPC-10: it would warn of every connection.
  @Test
  void aConnectionLeavesNoWarning() throws IOException {
    var server = start("one", Takeover.IF_DEAD);
    assertThat(name()).isEqualTo("one");
    assertThat(Logger.getLogger("io.netty.bootstrap.AbstractBootstrap").isLoggable(Level.WARNING))
        .isFalse();
    server.stop(SOON);
  }

  @Test
  void aCallEndsAtItsDeadline() throws IOException {
    var server = start("one", Takeover.IF_DEAD);
    try (var connection = CsiConnection.open(socket.path())) {
      var hasty = connection.identity(Duration.ofMillis(50));
      assertThatThrownBy(() -> hasty.probe(ProbeRequest.getDefaultInstance()))
          .isInstanceOfSatisfying(
              CsiException.class,
              e -> assertThat(e.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED))
          .hasMessage("rpc error: code = DeadlineExceeded desc = context deadline exceeded");
    }
    answer.countDown();
    server.stop(SOON);
  }

  private SocketServer start(String name, Takeover takeover) throws IOException {
    return SocketServer.start(socket, takeover, List.of(new Named(name).bindService()), List.of());
  }

  private String name() {
    try (var connection = CsiConnection.open(socket.path())) {
      return connection
          .identity(SOON)
          .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
          .getName();
    }
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /// Tells its name at once, and is ready when the test lets it.
  private final class Named extends IdentityGrpc.IdentityImplBase {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
      observer.onNext(GetPluginInfoResponse.newBuilder().setName(name).build());
      observer.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request,
        StreamObserver<GetPluginCapabilitiesResponse> observer) {
      if (!name.equals("wordy")) throw new IllegalStateException("broken");
      observer.onError(
          Status.ABORTED
              .withDescription("first " + "%".repeat(10_000) + " last")
              .asRuntimeException());
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
      probed.countDown();
      try {
        answer.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      var ready = ProbeResponse.newBuilder();
      ready.getReadyBuilder().setValue(true);
      observer.onNext(ready.build());
      observer.onCompleted();
    }
  }
}

package dev.berth.csi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.BoolValue;
import dev.berth.csi.socket.SocketThreads;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A connection to a driver that comes and goes.
class CsiConnectionTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /// Far less than calls in flight are given.
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  private final CountDownLatch probed = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("csi");
  }

  @AfterEach
  void removeFolder() throws IOException {
    Files.deleteIfExists(folder.resolve("s"));
    Files.delete(folder);
  }

  /// Whoever ends after the driver, as a pod's sidecars do, has nothing to wait for.
  @Test
  void isClosedAtOnceWhenTheDriverHasGoneFirst() throws Exception {
    var driver = driver();
    var connection = CsiConnection.open(folder.resolve("s"));
    var lost = new CountDownLatch(1);
    connection.identity(SOON).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    connection.whenLost(lost::countDown);

    driver.shutdownNow().awaitTermination();
    assertThat(lost.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(closing(connection)).isLessThan(AT_ONCE);
  }

  @Test
  void isClosedAtOnceWhenTheDriverWasAskedSinceItHasGone() throws Exception {
    var driver = driver();
    var connection = CsiConnection.open(folder.resolve("s"));
    connection.identity(SOON).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    driver.shutdownNow().awaitTermination();
    for (int i = 0; i < 3; i++)
      assertThatThrownBy(() ->
              connection.identity(SOON).getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
          .isInstanceOf(CsiException.class);

    assertThat(closing(connection)).isLessThan(AT_ONCE);
  }

  @Test
  void isClosedAtOnceWhenNobodyWasEverThere() throws Exception {
    var connection = CsiConnection.open(folder.resolve("s"));
    assertThatThrownBy(() ->
            connection.identity(SOON).getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
        .isInstanceOf(CsiException.class);

    assertThat(closing(connection)).isLessThan(AT_ONCE);
  }

  @Test
  void aCallInFlightIsWaitedFor() throws Exception {
    var driver = driver();
    try {
      var connection = CsiConnection.open(folder.resolve("s"));
      var answered =
          CompletableFuture.supplyAsync(
              () -> connection.identity(SOON).probe(ProbeRequest.getDefaultInstance()),
              Thread::startVirtualThread);
      assertThat(probed.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      Thread.startVirtualThread(() -> {
        awaitRefusal(connection);
        answer.countDown();
      });

      connection.close();

      assertThat(answered.get(SOON.toSeconds(), TimeUnit.SECONDS).getReady().getValue()).isTrue();
    } finally {
      driver.shutdownNow().awaitTermination();
    }
  }

  /// Until the connection takes no calls any more.
  private static void awaitRefusal(CsiConnection connection) {
    try {
      while (true)
        connection.identity(SOON).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    } catch (CsiException _) {
      return;
    }
  }

  private static Duration closing(CsiConnection connection) {
    long began = System.nanoTime();
    connection.close();
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private Server driver() throws IOException {
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(folder.resolve("s")))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(SocketThreads.group())
        .workerEventLoopGroup(SocketThreads.group())
        .addService(
            new IdentityGrpc.IdentityImplBase() {
              @Override
              public void getPluginInfo(
                  GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> answer) {
                answer.onNext(GetPluginInfoResponse.newBuilder().setName("d.example").build());
                answer.onCompleted();
              }

              @Override
              public void probe(ProbeRequest request, StreamObserver<ProbeResponse> answers) {
                probed.countDown();
                try {
                  answer.await();
                } catch (InterruptedException _) {
                  return;
                }
                answers.onNext(ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build());
                answers.onCompleted();
              }
            })
        .build()
        .start();
  }
}

package dev.berth.driver;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.mount;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.socket.SocketAccess;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/// A driver as its callers meet it.
class DriverServerTest {
  private final ToyDriver driver = new ToyDriver();

  /// What a driver throws, and what its caller hears of a change.
  record Surprise(Throwable thrown, String words) {
    @Override
    public String toString() {
      return words;
    }
  }

  static final List<Surprise> surprise =
      List.of(
          new Surprise(new IOException("the cable is out"), "the cable is out; it may have"),
          new Surprise(
              new NoSuchFileException("/pool/x"), "NoSuchFileException: /pool/x; it may have"),
          new Surprise(new IllegalStateException(), "IllegalStateException; it may have"),
          new Surprise(new StackOverflowError(), "StackOverflowError; it may have"));

  @ParameterizedTest
  @FieldSource
  void surprise(Surprise surprise) throws IOException { // ERR-07, UDS-11
    try (var served = Served.of(driver)) {
      driver.hook = _ -> sneak(surprise.thrown);
      assertRefused(Code.UNAVAILABLE, surprise.words, () -> served.create(wanted("one")));
      assertRefused(
          Code.INTERNAL,
          "",
          () ->
              served
                  .node()
                  .nodeGetVolumeStats(
                      NodeGetVolumeStatsRequest.newBuilder()
                          .setVolumeId("known")
                          .setVolumePath("/x")
                          .build()));
      driver.hook = _ -> {};
      assertThat(served.create(wanted("one"))).isNotEmpty();
    }
  }

  @Test
  void aChangeThatIsToldOfBadlyMayHaveHappened() throws IOException { // ERR-07 before ERR-11
    try (var served = Served.of(driver)) {
      driver.controller.prefix = "x".repeat(200);
      assertRefused(
          Code.UNAVAILABLE, "the driver is wrong: volume_id", () -> served.create(wanted("one")));
    }
  }

  private static void sneak(Throwable thrown) throws IOException {
    switch (thrown) {
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(thrown);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalHasItsCode(Refusal.Reason reason) throws IOException {
    try (var served = Served.of(driver)) {
      driver.hook =
          operation -> {
            if (operation.equals("create")) throw new Refusal(reason, "because");
          };
      assertRefused(reason.code(), "because", () -> served.create(wanted("one")));
    }
  }

  @Test
  void aWordToGroupEventsByStandsBeforeTheMessage() throws IOException { // ERR-14
    driver.hook =
        operation -> {
          if (operation.equals("create"))
            throw Refusal.noRoom("7 bytes are left").as("toy/pool-full");
        };
    try (var served = Served.of(driver)) {
      assertRefused(
          Code.RESOURCE_EXHAUSTED,
          "[toy/pool-full] 7 bytes are left",
          () -> served.create(wanted("one")));
    }
    assertThatThrownBy(() -> Refusal.noRoom("7 bytes are left").as("Pool full"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itsSocketIsItsOwnersUnlessAskedOtherwise() throws IOException { // UDS-07
    var group = SocketAccess.of(PosixFilePermissions.fromString("rw-rw----"));
    try (var served = Served.of(driver)) {
      assertThat(Files.getPosixFilePermissions(served.socket))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
    try (var served = Served.of(driver, DriverServer.Options.all().with(group))) {
      assertThat(Files.getPosixFilePermissions(served.socket)).isEqualTo(group.mode());
    }
  }

  @Test
  void probeTellsReadiness() throws IOException { // IDN-05
    driver.readiness = new Readiness.Starting();
    try (var served = Served.of(driver)) {
      assertThat(probe(served)).isFalse();
      driver.readiness = new Readiness.Ready();
      await().atMost(Served.PATIENCE).until(() -> probe(served));
    }
    driver.readiness = new Readiness.Broken("no array");
    try (var served = Served.of(driver)) {
      assertRefused(Code.FAILED_PRECONDITION, "no array", () -> probe(served));
    }
  }

  private static boolean probe(Served served) {
    return served.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue();
  }

  @Test
  void aStopLetsCallsInFlightFinishAndTakesNoMore() throws Exception { // UDS-12
    var begun = new CountDownLatch(1);
    var mayGoOn = new CountDownLatch(1);
    var served = Served.of(driver);
    driver.hook =
        operation -> {
          if (!operation.equals("create")) return;
          begun.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IOException("cut off", e);
          }
        };
    var call =
        CompletableFuture.supplyAsync(
            () -> served.create(wanted("one")), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    var stop = CompletableFuture.runAsync(served.server::close, Thread::startVirtualThread);
    await().atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(served.socket));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertRefused(
                Code.UNAVAILABLE,
                "",
                () -> served.controller().listVolumes(ListVolumesRequest.getDefaultInstance())));
    assertThat(stop).isNotDone();
    mayGoOn.countDown();
    assertThat(call.get(30, TimeUnit.SECONDS)).isNotEmpty();
    stop.get(30, TimeUnit.SECONDS);
    served.close();
  }

  @Test
  void whatGoesOnForACallerWhoHasGoneIsWaitedFor() throws Exception { // UDS-12, CON-04
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var finished = new AtomicBoolean();
    driver.hook =
        operation -> {
          if (!operation.equals("create")) return;
          begun.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          finished.set(true);
        };
    var served = Served.of(driver);
    var hasty = served.connection.controller(Duration.ofMillis(500));
    assertRefused(Code.DEADLINE_EXCEEDED, "", () -> hasty.createVolume(wanted("one").build()));
    assertThat(begun.getCount()).isZero();
    var closed = CompletableFuture.runAsync(served.server::close, Thread::startVirtualThread);
    await().during(Duration.ofMillis(300)).atMost(Served.PATIENCE).until(() -> !closed.isDone());
    go.countDown();
    closed.get(30, TimeUnit.SECONDS);
    assertThat(finished).isTrue();
    served.close();
  }

  @Test
  void aNewVersionTakesTheSocketOver() throws IOException { // UDS-05
    var served = Served.of(driver);
    var options = DriverServer.Options.all().with(Takeover.ALWAYS);
    try (var _ = DriverServer.start(served.socket, driver, options)) {
      served.server.close();
      try (var client = CsiConnection.open(served.socket)) {
        assertThat(
                client
                    .identity(Served.PATIENCE)
                    .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                    .getVendorVersion())
            .isEqualTo("1.2.3");
      }
    }
    served.close();
  }

  /// The kernel's list of mounts knows no links: neither may what a driver compares with it.
  @Test
  void aTargetIsNamedAsTheKernelNamesIt() throws IOException {
    try (var served = Served.of(driver)) {
      var real = Files.createDirectory(served.folder.resolve("real"));
      var link = Files.createSymbolicLink(served.folder.resolve("link"), real);
      publish(served, link.resolve("target"), Mode.SINGLE_NODE_READER_ONLY);
      publish(served, Path.of("/not/there/target"), Mode.SINGLE_NODE_WRITER);
      assertThat(driver.node.published)
          .extracting(it -> it.target())
          .containsExactly(real.toRealPath().resolve("target"), Path.of("/not/there/target"));
      assertThat(driver.node.published)
          .extracting(it -> it.readOnly())
          .containsExactly(true, false);
      Files.delete(link);
      Files.delete(real);
    }
  }

  private static void publish(Served served, Path target, Mode mode) {
    served
        .node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("v")
                .setStagingTargetPath("/s")
                .setTargetPath(target.toString())
                .setVolumeCapability(mount(mode))
                .build());
  }

  /// CND-02: with OK, though nothing can be counted. A volume that is well and yet cannot be
  /// counted is an error.
  @Test
  void aDeadMountIsAbnormalAndNoError() throws IOException {
    driver.hook =
        operation -> {
          if (operation.equals("stats")) throw new IOException("stale file handle");
        };
    var request =
        NodeGetVolumeStatsRequest.newBuilder().setVolumeId("known").setVolumePath("/x").build();
    try (var served = Served.of(driver)) {
      assertRefused(Code.INTERNAL, "stale", () -> served.node().nodeGetVolumeStats(request));
      driver.node.condition =
          Condition.abnormal(Ailment.Kind.INACCESSIBLE, "MountDead", "the mount does not answer");
      var told = served.node().nodeGetVolumeStats(request);
      assertThat(told.getVolumeCondition().getAbnormal()).isTrue();
      assertThat(told.getVolumeCondition().getMessage()).isEqualTo("the mount does not answer");
      assertThat(told.getUsageList()).isEmpty();
      driver.hook = _ -> {};
      assertRefused(
          Code.NOT_FOUND,
          "",
          () ->
              served.node().nodeGetVolumeStats(request.toBuilder().setVolumeId("unknown").build()));
    }
  }

  @Test
  void countsAreNeverBelowZero() throws IOException { // NOD-21
    try (var served = Served.of(driver)) {
      var stats =
          served
              .node()
              .nodeGetVolumeStats(
                  NodeGetVolumeStatsRequest.newBuilder()
                      .setVolumeId("known")
                      .setVolumePath("/x")
                      .build());
      assertThat(stats.getUsageList()).hasSize(1); // nobody counts inodes here
      assertThat(stats.getUsage(0).getUsed()).isZero();
      assertThat(stats.getVolumeCondition().getMessage()).isEqualTo("mounted");
    }
  }
}

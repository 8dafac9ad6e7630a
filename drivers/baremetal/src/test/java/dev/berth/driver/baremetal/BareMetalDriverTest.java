package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Volumes on real loop drives, through the driver's socket and a real API server.
class BareMetalDriverTest {
  private static final String TWO =
      """
      nodes:
      - nodeID: a
        driveCount: 2
        drives:
        - {serialNumber: SMALL, size: 64Mi}
        - {serialNumber: LARGE, size: 128Mi, driveType: SSD}
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SECRET = "what the tenant before has written";

  /// BM-10, BM-11, BM-15, BM-41, BM-83, BM-88, BM-91, BM-100, BM-110, BM-114, BM-117, BM-119,
  /// BM-115, BM-116, BM-121.
  @Test
  void aVolumeIsAWholeDriveAndLeavesNothingOnIt() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      world.drive("SMALL", it -> it.available());
      world.drive("LARGE", it -> it.available());
      var room = controller(driver).getCapacity(GetCapacityRequest.getDefaultInstance());
      assertThat(room.getAvailableCapacity()).isEqualTo(192 * MIB);
      assertThat(room.getMaximumVolumeSize().getValue()).isEqualTo(128 * MIB);

      var volume = create(driver, "pvc-1", 10 * MIB, mount(""));
      assertThat(volume.getCapacityBytes()).isEqualTo(64 * MIB);
      assertThat(create(driver, "pvc-1", 10 * MIB, mount(""))).isEqualTo(volume);
      refused(() -> create(driver, "pvc-1", 65 * MIB, mount("")), "ALREADY_EXISTS");
      assertThat(volume.getAccessibleTopology(0).getSegmentsMap())
          .containsKey("nodes.csi-baremetal.dell.com/uuid");
      world.stage(driver, "pvc-1", mount(""));
      assertThat(world.volume("pvc-1", _ -> true).status()).isEqualTo(CsiStatus.VOLUME_READY);
      var reader = mount("").toBuilder();
      reader.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_READER_ONLY);
      refused(() -> world.stage(driver, "pvc-1", reader.build()), "ALREADY_EXISTS");
      var elsewhere =
          NodeGetVolumeStatsRequest.newBuilder()
              .setVolumeId("pvc-1")
              .setVolumePath(world.folder("elsewhere").toString())
              .build();
      refused(() -> node(driver).nodeGetVolumeStats(elsewhere), "NOT_FOUND");
      world.publish(driver, "pvc-1", mount(""));
      world.publish(driver, "pvc-1", mount(""));
      Files.writeString(world.target("pvc-1").resolve("file"), SECRET);
      assertThat(world.volume("pvc-1", _ -> true).status()).isEqualTo(CsiStatus.PUBLISHED);
      refused(() -> delete(driver, "pvc-1"), "FAILED_PRECONDITION");
      assertThat(
              node(driver)
                  .nodeExpandVolume(
                      NodeExpandVolumeRequest.newBuilder()
                          .setVolumeId("pvc-1")
                          .setVolumePath(world.target("pvc-1").toString())
                          .build())
                  .getCapacityBytes())
          .isEqualTo(64 * MIB);

      world.unpublish(driver, "no-such-volume");
      world.unpublish(driver, "pvc-1");
      assertThat(world.volume("pvc-1", _ -> true).status()).isEqualTo(CsiStatus.VOLUME_READY);
      world.unstage(driver, "pvc-1");
      assertThat(Files.exists(world.target("pvc-1"))).isFalse();
      world.stage(driver, "pvc-1", mount(""));
      world.publish(driver, "pvc-1", mount(""));
      assertThat(Files.readString(world.target("pvc-1").resolve("file"))).isEqualTo(SECRET);
      world.unpublish(driver, "pvc-1");
      world.unstage(driver, "pvc-1");
      assertThat(bytes(world.device("a", "SMALL"))).contains(SECRET);

      delete(driver, "pvc-1");
      assertThat(bytes(world.device("a", "SMALL"))).doesNotContain(SECRET);
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
      world.drive("SMALL", it -> it.available());
      delete(driver, "pvc-1");
    }
  }

  /// BM-211: a blank drive that nobody has named is not touched, and whoever wants a volume learns
  /// why he gets none; a person's word of that drive gives it away, for good.
  @Test
  void aBlankDriveIsNobodysBeforeSomebodySaysSo() throws Exception {
    var plan = "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: NEW, unasked: true}]}]";
    try (var world = BareMetalWorld.of(plan)) {
      var driver = world.node("a");
      var drive = world.drive("NEW", it -> it.observed().conditions().size() > 1);
      assertThat(drive.observed().clean()).isTrue();
      assertThat(drive.available()).isFalse();
      var room = controller(driver).getCapacity(GetCapacityRequest.getDefaultInstance());
      assertThat(room.getAvailableCapacity()).isZero();
      refused(() -> create(driver, "pvc-1", MIB, mount("")), "RESOURCE_EXHAUSTED");
      assertThatThrownBy(() -> create(driver, "pvc-1", MIB, mount("")))
          .hasMessageContaining("nobody has said yet that volumes may have 1 blank one");

      world.annotate(BareMetalKinds.DRIVE, drive.meta().key(), "initialize", drive.review());
      var admitted = world.drive("NEW", Drive::available);
      assertThat(admitted.word("initialize")).isEmpty();
      create(driver, "pvc-1", MIB, mount(""));
      delete(driver, "pvc-1");
      world.drive("NEW", Drive::available);
    }
  }

  /// BM-22, BM-80, BM-93, BM-101, BM-104.
  @Test
  void whatIsNotThereIsRefusedAndNothingIsLeftOfIt() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      world.drive("SMALL", it -> it.available());
      world.drive("LARGE", it -> it.available());
      refused(() -> create(driver, "huge", 1024 * MIB, mount("")), "RESOURCE_EXHAUSTED");
      var exact = wanted("exact", 10 * MIB, mount(""));
      exact.getCapacityRangeBuilder().setLimitBytes(20 * MIB);
      refused(() -> controller(driver).createVolume(exact.build()), "OUT_OF_RANGE");
      refused(
          () ->
              controller(driver)
                  .createVolume(
                      wanted("lvg", 1, mount("")).putParameters("storageType", "HDDLVG").build()),
          "FAILED_PRECONDITION"); // BM-221
      var shared = mount("").toBuilder();
      shared.getAccessModeBuilder().setMode(Mode.MULTI_NODE_MULTI_WRITER);
      refused(() -> create(driver, "shared", 1, shared.build()), "INVALID_ARGUMENT");
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();

      var ssd =
          controller(driver)
              .createVolume(wanted("ssd", 1, block()).putParameters("storageType", "ssd").build())
              .getVolume();
      assertThat(ssd.getCapacityBytes()).isEqualTo(128 * MIB);
      assertThat(
              controller(driver)
                  .controllerExpandVolume(expansion("ssd", 100 * MIB))
                  .getCapacityBytes())
          .isEqualTo(128 * MIB);
      refused(
          () -> controller(driver).controllerExpandVolume(expansion("ssd", 129 * MIB)),
          "OUT_OF_RANGE");
      world.stage(driver, "ssd", block());
      world.publish(driver, "ssd", block());
      try (var file =
          FileChannel.open(
              world.target("ssd"), StandardOpenOption.WRITE, StandardOpenOption.READ)) {
        assertThat(file.size()).isEqualTo(128 * MIB);
        assertThat(file.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
      }
      world.unpublish(driver, "ssd");
      world.unstage(driver, "ssd");
      delete(driver, "ssd");
    }
  }

  private static ControllerExpandVolumeRequest expansion(String id, long bytes) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return request.build();
  }

  /// BM-56, BM-111: what a drive holds is never removed.
  @Test
  void aDriveThatHoldsAnythingIsNotTaken() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      world.drive("SMALL", it -> it.available());
      var drive = world.drive("LARGE", it -> it.available());
      // Behind the driver's back, between two passes: it must look again before it writes.
      new FileSystemTools(Tools.ofThisMachine())
          .make(FileSystemType.EXT4, world.device("a", "LARGE"), List.of());
      refused(() -> create(driver, "v", 100 * MIB, mount("")), "INTERNAL");
      world.drive("LARGE", it -> !it.observed().clean() && it.claimant().isPresent());
      assertThat(world.volume("v", _ -> true).status()).isEqualTo(CsiStatus.FAILED);
      assertThat(world.volume("v", _ -> true).message()).contains("ext4");
      assertThat(drive.identity().vid()).isEqualTo("Test"); // BM-58
      assertThat(new FileSystemTools(Tools.ofThisMachine()).contentOf(world.device("a", "LARGE")))
          .asString()
          .contains("ext4");
    }
  }

  /// BM-05, BM-23, BM-55: after a restart drives are found by their serial numbers.
  @Test
  void anotherProcessFindsTheVolumesAgain() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var first = world.node("a");
      world.drive("SMALL", it -> it.available());
      create(first, "v", 1, mount("ext4"));
      world.stage(first, "v", mount("ext4"));
      Files.writeString(world.folder("stage-v").resolve("file"), SECRET);
      world.end();
      var second = world.node("a");
      world.publish(second, "v", mount("ext4"));
      assertThat(Files.readString(world.target("v").resolve("file"))).isEqualTo(SECRET);
      assertThat(world.all(BareMetalKinds.DRIVE)).hasSize(2);
      assertThat(world.all(BareMetalKinds.NODE)).hasSize(1);
      // BM-170
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !world.all(BareMetalKinds.NODE).getFirst().heartbeat().isEmpty());
      world.unpublish(second, "v");
      world.unstage(second, "v");
      delete(second, "v");
    }
  }

  /// BM-70, BM-71, BM-72, BM-180, BM-181, BM-182, BM-186, BM-187, BM-200, BM-201: one verdict, told
  /// on every way.
  @Test
  void howADriveIsReachesWhoeverAsksForTheVolume() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      var drive = world.drive("SMALL", it -> it.available());
      create(driver, "v", 1, mount(""));
      world.stage(driver, "v", mount(""));
      world.publish(driver, "v", mount(""));
      world.volume("v", it -> it.health() == Health.GOOD);
      // the controller hears of it a moment later
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(abnormal(world, driver)).isEmpty());

      Mounts.ofThisMachine().unmount(world.target("v"), Mounts.Unmount.IF_UNUSED);
      assertThat(stats(world, driver).getVolumeCondition().getMessage()).contains("not mounted");
      world.publish(driver, "v", mount(""));

      world.annotate(BareMetalKinds.DRIVE, drive.meta().key(), "health", "suspect");
      world.volume("v", it -> it.health() == Health.SUSPECT);
      world.drive("SMALL", it -> it.observed().usage() == DriveUsage.RELEASING);
      // the controller hears of it a moment later
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(abnormal(world, driver)).contains("Health is SUSPECT"));
      // BM-35: whoever has moved the data says so
      world.annotate(
          BareMetalKinds.VOLUME, world.volume("v", _ -> true).meta().key(), "release", "done");
      world.drive("SMALL", it -> it.observed().usage() == DriveUsage.RELEASED);

      world.plan(TWO.replace("size: 64Mi}", "size: 64Mi, removed: true}"));
      world.drive("SMALL", it -> it.observed().presence() == Presence.OFFLINE);
      // the controller hears of it a moment later
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(abnormal(world, driver)).contains("OperationalStatus is MISSING"));
      world.plan(TWO);
      world.drive("SMALL", it -> it.observed().presence() == Presence.ONLINE);
      await()
          .until(() ->
              world
                  .events(drive.meta().name())
                  .containsAll(List.of("DriveStatusOffline", "DriveStatusOnline")));
      world.unpublish(driver, "v");
      world.unstage(driver, "v");
      delete(driver, "v");
    }
  }

  /// BM-190, BM-192, BM-194: what the kernel has counted is told while the mount goes on.
  @Test
  void anErrorOfTheFileSystemIsTold() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      world.drive("SMALL", it -> it.available());
      create(driver, "v", 1, mount("ext4"));
      world.stage(driver, "v", mount("ext4"));
      world.publish(driver, "v", mount("ext4"));
      world.volume("v", it -> it.health() == Health.GOOD);
      assertThat(stats(world, driver).getVolumeCondition().getAbnormal()).isFalse();
      var trigger =
          Path.of("/sys/fs/ext4")
              .resolve(world.device("a", "SMALL").getFileName())
              .resolve("trigger_fs_error");
      assumeTrue(Files.exists(trigger), "this kernel makes no errors by request: skipped");
      Files.writeString(trigger, "1");
      // The kernel counts a moment later, in a worker of its own.
      var told =
          await().until(() -> stats(world, driver), it -> it.getVolumeCondition().getAbnormal());
      assertThat(told.getVolumeCondition().getMessage()).contains("has counted errors");
      assertThat(told.getUsage(0).getTotal()).isPositive();
      world.unpublish(driver, "v");
      world.unstage(driver, "v");
      delete(driver, "v");
    }
  }

  private static NodeGetVolumeStatsResponse stats(BareMetalWorld world, CsiConnection driver)
      throws Exception {
    return node(driver)
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId("v")
                .setVolumePath(world.target("v").toString())
                .build());
  }

  /// What the controller and the node say; they say the same of the drive.
  private static String abnormal(BareMetalWorld world, CsiConnection driver) throws Exception {
    var listed =
        controller(driver).listVolumes(ListVolumesRequest.getDefaultInstance()).getEntries(0);
    var got =
        controller(driver)
            .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId("v").build());
    var node = stats(world, driver);
    assertThat(node.getUsageList()).isNotEmpty();
    var condition = got.getStatus().getVolumeCondition();
    assertThat(listed.getStatus().getVolumeCondition()).isEqualTo(condition);
    assertThat(node.getVolumeCondition().getAbnormal()).isEqualTo(condition.getAbnormal());
    return condition.getAbnormal() ? condition.getMessage() : "";
  }

  private static String bytes(Path device) throws Exception {
    return new String(Files.readAllBytes(device), StandardCharsets.ISO_8859_1);
  }

  private static void refused(ThrowingCallable call, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            it -> assertThat(it.code().name()).as(it.getMessage()).isEqualTo(code));
  }
}

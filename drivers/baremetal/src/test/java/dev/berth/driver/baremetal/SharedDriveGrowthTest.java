package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Sharing;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Volumes that share a drive grow as long as the drive has room (BM-104, BM-121, BM-210).
class SharedDriveGrowthTest {
  private static final String ONE =
      "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: S, size: 400Mi}]}]";

  private static void share(CsiConnection driver, String id, long bytes, VolumeCapability use) {
    var request = wanted(id, bytes, use).putParameters("storageType", "SHARED").build();
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsMatching(
            it -> it instanceof CsiException refused && refused.code().name().equals("ABORTED"))
        .until(() -> controller(driver).createVolume(request).hasVolume());
  }

  private static ControllerExpandVolumeResponse grow(CsiConnection driver, String id, long bytes) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return controller(driver).controllerExpandVolume(request.build());
  }

  private static long grown(BareMetalWorld world, CsiConnection driver, String id, long bytes)
      throws Exception {
    var request =
        NodeExpandVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setVolumePath(world.target(id).toString())
            .setStagingTargetPath(world.folder("stage-" + id).toString());
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return node(driver).nodeExpandVolume(request.build()).getCapacityBytes();
  }

  private static long total(BareMetalWorld world, CsiConnection driver, String id)
      throws Exception {
    return node(driver)
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(world.target(id).toString())
                .build())
        .getUsage(0)
        .getTotal();
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            it -> assertThat(it.code().name()).as(it.getMessage()).isEqualTo("OUT_OF_RANGE"));
  }

  /// Online, with what is on it; a neighbour keeps what is its own, and nobody gets more than there
  /// is.
  @Test
  void aVolumeGrowsIntoTheRoomOfItsDrive() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      var drive = world.drive("S", Drive::available);
      share(driver, "fs", 120 * MIB, mount("btrfs"));
      share(driver, "raw", 16 * MIB, block());
      for (var id : new String[] {"fs", "raw"}) {
        var use = id.equals("fs") ? mount("btrfs") : block();
        world.stage(driver, id, use);
        world.publish(driver, id, use);
      }
      Files.writeString(world.target("fs").resolve("file"), "kept");
      long before = total(world, driver, "fs");

      // below that Linux resizes no btrfs: nothing of the drive is taken for it
      refused(() -> grow(driver, "fs", 200 * MIB));
      var answer = grow(driver, "fs", 260 * MIB);
      assertThat(answer.getCapacityBytes()).isEqualTo(260 * MIB);
      assertThat(answer.getNodeExpansionRequired()).isTrue();
      assertThat(grown(world, driver, "fs", 260 * MIB)).isGreaterThanOrEqualTo(260 * MIB);
      assertThat(total(world, driver, "fs")).isBetween(before + 120 * MIB, before + 141 * MIB);
      assertThat(Files.readString(world.target("fs").resolve("file"))).isEqualTo("kept");

      assertThat(grow(driver, "raw", 32 * MIB).getCapacityBytes()).isEqualTo(32 * MIB);
      grown(world, driver, "raw", 32 * MIB);
      try (var raw = FileChannel.open(world.target("raw"), StandardOpenOption.READ)) {
        assertThat(raw.size()).isEqualTo(32 * MIB);
      }
      // asked for again, and for less than it has
      assertThat(grow(driver, "fs", 260 * MIB).getCapacityBytes()).isEqualTo(260 * MIB);
      assertThat(grow(driver, "fs", 10 * MIB).getCapacityBytes()).isEqualTo(260 * MIB);

      long left = Sharing.usable(400 * MIB) - (260 + 32) * MIB;
      world.capacity(drive, left);
      refused(() -> grow(driver, "raw", 32 * MIB + left + MIB));
      world.capacity(drive, left);

      for (var id : new String[] {"fs", "raw"}) {
        world.unpublish(driver, id);
        world.unstage(driver, id);
        delete(driver, id);
      }
      world.drive("S", Drive::available);
    }
  }
}

package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Usage;
import dev.berth.linux.loop.LoopDevices;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Volumes grow with what is on them, in use or not, and never shrink.
class ExpansionTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void aFileSystemGrowsWhileItIsUsed(String fsType) throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var id = createVolume(driver, "v", 320 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    Files.writeString(staging.resolve("file"), "kept");

    var expanded = expand(id, 512 * MIB);
    assertThat(expanded.getCapacityBytes()).isEqualTo(512 * MIB);
    assertThat(expanded.getNodeExpansionRequired()).isTrue();
    assertThat(expandOnNode(id, staging)).isEqualTo(512 * MIB);
    assertThat(expandOnNode(id, staging)).isEqualTo(512 * MIB);
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(400 * MIB);
    assertThat(staging.resolve("file")).hasContent("kept");
    unstage(driver, id, staging);
    assertThat(expand(id, 512 * MIB).getNodeExpansionRequired()).isFalse();
  }

  /// A kill between the mount and the growth: nobody asks NodeExpandVolume then (CSR-02).
  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void whatAKilledStageLeftSmallGrowsWhenItIsAskedAgain(String fsType) throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var id = createVolume(driver, "v", 320 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    expand(id, 512 * MIB);
    new LoopDevices().takeOverSize(world.loops().getFirst()); // as a stage attaches it

    stage(driver, id, staging, use);
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(400 * MIB);
    unstage(driver, id, staging);
  }

  /// Online where the process may (CAP_SYS_RESOURCE); else it says so and grows at the next stage.
  @Test
  void ext4GrowsAtTheLatestWhenItIsStagedNext() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "v", 64 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    Files.writeString(staging.resolve("file"), "kept");
    assertThat(expand(id, 128 * MIB).getNodeExpansionRequired()).isTrue();
    if (mayGrowOnline()) expandOnNode(id, staging);
    else
      assertRefused(
          Status.Code.FAILED_PRECONDITION, "CAP_SYS_RESOURCE", () -> expandOnNode(id, staging));
    Files.writeString(staging.resolve("other"), "still writable");
    unstage(driver, id, staging);

    stage(driver, id, staging, use);
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(100 * MIB);
    assertThat(staging.resolve("file")).hasContent("kept");
    assertThat(expandOnNode(id, staging)).isEqualTo(128 * MIB);
    unstage(driver, id, staging);
  }

  private static boolean mayGrowOnline() throws IOException {
    var capabilities =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .findFirst()
            .orElseThrow()
            .replace("CapEff:", "")
            .strip();
    return (Long.parseUnsignedLong(capabilities, 16) >> 24 & 1) == 1;
  }

  @Test
  void aRawDeviceGrowsWhileItIsUsed() throws IOException {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "v", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    assertThat(expand(id, 32 * MIB).getNodeExpansionRequired()).isTrue();
    expandOnNode(id, target);
    try (var device = new RandomAccessFile(target.toFile(), "r")) {
      assertThat(device.getChannel().size()).isEqualTo(32 * MIB);
    }
    assertThat(expand(id, 32 * MIB).getNodeExpansionRequired()).isFalse(); // CTL-22
    unpublish(driver, id, target);

    expand(id, 48 * MIB);
    assertThat(expandOnNode(id, staging)).isEqualTo(48 * MIB); // NOD-22: or where it is staged
    assertThat(expand(id, 48 * MIB).getNodeExpansionRequired()).isFalse();
    assertThat(
            DiskWorld.node(driver)
                .nodeGetVolumeStats(
                    NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(staging.toString())
                        .build())
                .getUsage(0)
                .getTotal())
        .isEqualTo(48 * MIB); // NOD-21
    unstage(driver, id, staging);
    assertThat(expand(id, 48 * MIB).getNodeExpansionRequired()).isFalse();
  }

  /// A kill between backing file and record, and nobody asks again: the claim may have been taken
  /// back. What is written behind the recorded size would be in no incremental copy (SMD-02).
  @Test
  void growthThatWasCutOffIsEndedByTheNextController() throws IOException {
    var id = createVolume(driver, "v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    world.stopDrivers();
    try (var image = new RandomAccessFile(world.image(id).toFile(), "rw")) {
      image.setLength(32 * MIB);
    }
    driver = world.node("n1");
    assertThat(expand(id, 16 * MIB).getCapacityBytes()).isEqualTo(32 * MIB);
  }

  /// What was promised for good when the volume was made is promised for good when it grows.
  @Test
  void aThickVolumeGrowsThick() {
    var request = wanted("v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER));
    request.putParameters("allocation", "thick");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    assertThat(FileStatus.of(world.image(id)).allocated()).isGreaterThanOrEqualTo(16 * MIB);
    assertThat(expand(id, 64 * MIB).getCapacityBytes()).isEqualTo(64 * MIB);
    assertThat(FileStatus.of(world.image(id)).allocated()).isGreaterThanOrEqualTo(64 * MIB);
    var free = Usage.of(world.pool).available();
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, "do not fit", () -> expand(id, 2 * free));
    assertThat(FileStatus.of(world.image(id)).size()).isEqualTo(64 * MIB);
  }

  /// GetCapacity says what CreateVolume then does (CTL-21).
  @Test
  void noMoreThickRoomIsToldThanThereIs() {
    var request = GetCapacityRequest.newBuilder().putParameters("allocation", "thick").build();
    var told = controller(driver).getCapacity(request);
    var free = Usage.of(world.pool).available();
    assertThat(told.getAvailableCapacity()).isPositive().isLessThan(free);
    assertThat(told.getMaximumVolumeSize().getValue()).isPositive().isLessThan(free);
    var thin = controller(driver).getCapacity(GetCapacityRequest.getDefaultInstance());
    assertThat(thin.getAvailableCapacity()).isGreaterThan(free);
  }

  @Test
  void aVolumeNeverShrinksAndNeverOutgrowsItsLimit() throws IOException {
    var id = createVolume(driver, "v", 64 * MIB, mount(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    assertThat(expand(id, 16 * MIB).getCapacityBytes()).isEqualTo(64 * MIB);
    var below = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    below.getCapacityRangeBuilder().setLimitBytes(32 * MIB);
    assertRefused(
        Status.Code.OUT_OF_RANGE,
        "cannot shrink",
        () -> controller(driver).controllerExpandVolume(below.build()));
    assertRefused(Status.Code.OUT_OF_RANGE, "largest", () -> expand(id, 1L << 60));
  }

  private ControllerExpandVolumeResponse expand(String id, long bytes) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return controller(driver).controllerExpandVolume(request.build());
  }

  private long expandOnNode(String id, Path path) {
    return DiskWorld.node(driver)
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path.toString())
                .build())
        .getCapacityBytes();
  }
}

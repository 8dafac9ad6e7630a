package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.driver.baremetal.node.Preparation;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.partition.KernelPartitions;
import dev.berth.linux.partition.Partition;
import dev.berth.linux.partition.PartitionTable;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How a volume lies on its drive (BM-110), on real loop drives.
class PartitionTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  private static final String ID = "pvc-0f8a3c1e-5f0e-4d3b-9a57-2f1c3b4d5e6f";
  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());

  private static void partitioned(CsiConnection driver) {
    var request = wanted(ID, MIB, mount("ext4")).putParameters("isPartitioned", "true").build();
    var _ = controller(driver).createVolume(request);
  }

  /// BM-110, BM-112, BM-119, BM-241: one partition with the volume's id, in it a file system with
  /// the same; the drive is blank afterwards.
  @Test
  void aFileSystemLiesInAPartitionWithTheVolumesId() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      partitioned(driver);
      var device = world.device("a", "S");
      var table = PartitionTable.read(device).orElseThrow();
      assertThat(table.partitions()).hasSize(1);
      var partition = table.partitions().getFirst();
      assertThat(partition.uuid()).isEqualTo(LocalVolume.uuid(ID));
      assertThat(partition.name()).isEqualTo("CSI");
      assertThat(BlockDevice.size(world.partition("a", "S"))).isEqualTo(62 * MIB);
      assertThat(TOOLS.contentOf(world.partition("a", "S")))
          .isEqualTo(new Content.FileSystem("ext4", "", LocalVolume.uuid(ID).toString()));

      world.stage(driver, ID, mount("ext4"));
      world.publish(driver, ID, mount("ext4"));
      Files.writeString(world.target(ID).resolve("file"), "data");
      world.unpublish(driver, ID);
      world.unstage(driver, ID);
      // as after a start of the machine: the kernel knows the drive, and no partition
      new LoopDevices().detach(device);
      world.drive("S", it -> true);
      var again = world.node("a");
      world.stage(again, ID, mount("ext4"));
      world.publish(again, ID, mount("ext4"));
      assertThat(Files.readString(world.target(ID).resolve("file"))).isEqualTo("data");
      world.unpublish(again, ID);
      world.unstage(again, ID);
      delete(again, ID);
      world.drive("S", Drive::available);
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isEqualTo(new Content.Blank());
      assertThat(Files.exists(world.partition("a", "S"))).isFalse();
    }
  }

  /// BM-20, BM-21, BM-110: RAW_PART has a partition, RAW has all of the drive and nothing on it.
  @Test
  void aDeviceIsTheDriveOrAPartitionOfIt() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, ID, MIB, block());
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isEqualTo(new Content.Blank());
      delete(driver, ID);
      world.drive("S", Drive::available);
      var request = wanted(ID, MIB, block()).putParameters("isPartitioned", "true").build();
      assertThat(controller(driver).createVolume(request).getVolume().getCapacityBytes())
          .isEqualTo(64 * MIB);
      world.stage(driver, ID, block());
      world.publish(driver, ID, block());
      Files.writeString(world.target(ID), "raw", StandardOpenOption.WRITE);
      assertThat(Files.readAllBytes(world.partition("a", "S"))).startsWith('r', 'a', 'w');
      world.unpublish(driver, ID);
      world.unstage(driver, ID);
      delete(driver, ID);
      world.drive("S", Drive::available);
    }
  }

  /// BM-119: who has one partition of a drive keeps all of it, as the kernel knows it.
  @Test
  void aDriveOfWhichSomebodyHasAPartitionIsLeftAsItIs() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      world.node("a");
      world.drive("S", Drive::available);
      var device = world.device("a", "S");
      var used = new Partition(2, UUID.randomUUID(), "", 16 * MIB, 8 * MIB);
      var idle =
          IntStream.of(1, 3, 4, 5, 6)
              .mapToObj(it -> new Partition(it, UUID.randomUUID(), "", it * 8 * MIB, 4 * MIB))
              .toList();
      idle.forEach(it -> KernelPartitions.add(device, it));
      KernelPartitions.add(device, used);
      var second = KernelPartitions.find(device, used).orElseThrow();
      TOOLS.make(FileSystemType.EXT4, second, List.of());
      var mounts = Mounts.ofThisMachine();
      var place = world.folder("other");
      mounts.mount("ext4", second.toString(), place, MountOptions.NONE);
      try {
        assertThatThrownBy(() -> new Preparation(TOOLS).wipe(Wipe.ZERO, device))
            .isInstanceOfSatisfying(
                LinuxException.class,
                it -> assertThat(it.failure()).isInstanceOf(Failure.Busy.class));
        assertThat(idle).allMatch(it -> KernelPartitions.find(device, it).isPresent());
      } finally {
        mounts.unmount(place, Mounts.Unmount.IF_UNUSED);
      }
      new Preparation(TOOLS).wipe(Wipe.ZERO, device);
      assertThat(idle).allMatch(it -> KernelPartitions.find(device, it).isEmpty());
    }
  }

  /// BM-111: a file system whose table somebody has lost is still a file system.
  @Test
  void whatLiesWhereThePartitionWouldBeginStays() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      var image = world.folder.resolve("old.img");
      Files.write(image, new byte[(int) (32 * MIB)]);
      TOOLS.make(FileSystemType.EXT4, image, List.of());
      var old = Files.readAllBytes(image);
      try (var channel = FileChannel.open(world.device("a", "S"), StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(old), MIB);
        channel.force(true);
      }
      assertThatThrownBy(() -> partitioned(driver)).hasMessageContaining("ext4");
      delete(driver, ID);
      assertThat(TOOLS.contentAt(world.device("a", "S"), MIB))
          .isInstanceOf(Content.FileSystem.class);
    }
  }
}

package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.DyingApi.Last;
import dev.berth.driver.baremetal.decide.DriveEffect.Initialize;
import dev.berth.driver.baremetal.decide.Wishes;
import dev.berth.driver.baremetal.manager.loopback.LoopbackManager;
import dev.berth.driver.baremetal.node.DriveLocks;
import dev.berth.driver.baremetal.node.DriveWork;
import dev.berth.driver.baremetal.node.Pools;
import dev.berth.driver.baremetal.node.Preparation;
import dev.berth.driver.baremetal.node.SharePreparation;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.Api;
import dev.berth.kube.event.Notice;
import dev.berth.linux.file.Zeros;
import dev.berth.linux.partition.KernelPartitions;
import dev.berth.linux.partition.Partition;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// What a person has read of a drive is taken off, and nothing else (BM-211), on real loop drives.
class InitializationTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());

  private static List<Notice> initialize(BareMetalWorld world, Drive drive) throws IOException {
    return initialize(world, world.api, drive);
  }

  private static List<Notice> initialize(BareMetalWorld world, Api api, Drive drive)
      throws IOException {
    var told = new ArrayList<Notice>();
    var images = world.folder.resolve("img");
    var registry = new Registry(api);
    var preparation = new Preparation(TOOLS);
    try (var manager = new LoopbackManager(world.drives, images, "a")) {
      var pools = new Pools(images.resolve("pools"), manager, TOOLS);
      var shares = new SharePreparation(registry, pools, preparation);
      new DriveWork(registry, manager, shares, preparation, new DriveLocks(), told::add, () -> {})
          .carryOut(new Initialize(drive));
    }
    return told;
  }

  private static Drive asked(BareMetalWorld world) {
    var drive = world.drive("S", it -> it.looked() && !it.observed().clean());
    world.annotate(BareMetalKinds.DRIVE, drive.meta().key(), Marks.INITIALIZE, drive.review());
    return world.drive("S", it -> !it.word(Marks.INITIALIZE).isEmpty());
  }

  /// BM-56, BM-211: what came after the last look is nobody's to take off.
  @Test
  void whatSomebodyHasPutThereSinceTheLastLookStays() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      world.node("a");
      world.drive("S", Drive::available);
      var device = world.device("a", "S");
      TOOLS.make(FileSystemType.EXT4, device, List.of());
      world.end();
      world.node("a");
      world.drive("S", it -> !it.observed().clean());
      world.end(); // nobody looks any more
      var asked = asked(world);
      new Preparation(TOOLS).wipe(Wipe.ZERO, device);
      TOOLS.make(FileSystemType.EXT4, device, List.of());
      assertThat(initialize(world, asked))
          .anySatisfy(it -> assertThat(it.reason()).isEqualTo("DriveInitializationRefused"));
      assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.FileSystem.class);
      assertThat(world.drive("S", _ -> true).word(Marks.INITIALIZE)).isEmpty();

      world.node("a");
      var read = world.drive("S", it -> !it.review().equals(asked.review()));
      world.end();
      assertThat(read.observed().clean()).isFalse();
      assertThat(initialize(world, asked(world)))
          .anySatisfy(it -> assertThat(it.reason()).isEqualTo("DriveInitialized"));
      assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.Blank.class);
    }
  }

  /// BM-119, BM-211: a drive whose wipe was broken off by a kill shows nothing that blkid knows,
  /// and is nobody's all the same; the next driver brings it to its end.
  @Test
  void aWipeThatWasBrokenOffIsBroughtToItsEnd() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      world.node("a");
      world.drive("S", Drive::available);
      world.end();
      var device = world.device("a", "S");
      TOOLS.make(FileSystemType.EXT4, device, List.of());
      world.node("a");
      world.drive("S", it -> !it.observed().clean());
      world.end();
      var asked = asked(world);
      // as it is when the first block is zeros, and the process is killed
      world.wiping(asked, Wishes.purpose(asked.word(Marks.INITIALIZE)), 64 * 1024);
      Zeros.write(device, 0, 64 * 1024);
      assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.Blank.class);
      assertThat(Zeros.isAll(device, 0, 64 * MIB)).isFalse();

      world.node("a");
      world.drive("S", it -> it.word(Marks.INITIALIZE).isEmpty() && it.wiping().isEmpty());
      assertThat(Zeros.isAll(device, 0, 64 * MIB)).isTrue();
      world.drive("S", Drive::available);
    }
  }

  /// BM-119, BM-211: who drains a node between a wipe that was broken off and its end may have
  /// given the disk to somebody: what was said of it was not said of that.
  @Test
  void whatSomebodyHasPutThereSinceAWipeWasBrokenOffStays() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var device = full(world);
      for (long done : new long[] {0, 16 * MIB}) {
        var asked = asked(world);
        world.wiping(asked, Wishes.purpose(asked.word(Marks.INITIALIZE)), done);
        new Preparation(TOOLS).wipe(Wipe.ZERO, device);
        TOOLS.make(FileSystemType.EXT4, device, List.of());
        assertThat(initialize(world, asked))
            .anySatisfy(it -> assertThat(it.reason()).isEqualTo("DriveInitializationRefused"));
        assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.FileSystem.class);
        assertThat(world.drive("S", _ -> true).word(Marks.INITIALIZE)).isEmpty();
      }
      // a person who reads of it anew can say it anew
      world.node("a");
      world.drive("S", it -> it.observed().conditions().toString().contains("wipe that was begun"));
      world.end();
      assertThat(initialize(world, asked(world)))
          .anySatisfy(it -> assertThat(it.reason()).isEqualTo("DriveInitialized"));
      assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.Blank.class);
    }
  }

  /// BM-119: what is still there as it was read is taken off, whenever the process was killed.
  @Test
  void aWipeThatWasBrokenOffBeforeItsFirstByteGoesOn() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var device = full(world);
      var asked = asked(world);
      world.wiping(asked, Wishes.purpose(asked.word(Marks.INITIALIZE)), 0);
      world.node("a");
      world.drive("S", Drive::available);
      assertThat(Zeros.isAll(device, 0, 64 * MIB)).isTrue();
    }
  }

  /// BM-119, BM-211: a day's work is not lost with the last of its writes, nor is it said to be
  /// refused: what a volume has left is gone, and the drive is anybody's.
  @Test
  void aWipeThatIsKilledAtItsEndIsDone() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var device = full(world);
      for (var last : Last.values())
        for (int at = 1; ; at++) {
          world.annotate(
              BareMetalKinds.DRIVE, world.drive("S", _ -> true).meta().key(), Marks.UNCLEAN, "d/v");
          new Preparation(TOOLS).wipe(Wipe.ZERO, device);
          TOOLS.make(FileSystemType.EXT4, device, List.of());
          world.node("a");
          world.drive("S", it -> it.observed().conditions().toString().contains("d/v has left"));
          world.end();
          var dying = DyingApi.of(world.api, at, last);
          var asked = asked(world);
          try {
            initialize(world, dying.api(), asked);
          } catch (IllegalStateException killed) {
            assertThat(dying.isDead()).as(killed.getMessage()).isTrue();
          }
          world.node("a");
          var drive = world.drive("S", it -> it.word(Marks.INITIALIZE).isEmpty());
          assertThat(drive.unclean()).as("killed at write %d, %s", at, last).isEmpty();
          world.drive("S", Drive::available);
          world.end();
          assertThat(Zeros.isAll(device, 0, 64 * MIB)).isTrue();
          if (!dying.isDead()) break;
        }
    }
  }

  /// @return the drive's device, with a file system that somebody has made and the node has seen
  private static Path full(BareMetalWorld world) throws Exception {
    world.node("a");
    world.drive("S", Drive::available);
    world.end();
    var device = world.device("a", "S");
    TOOLS.make(FileSystemType.EXT4, device, List.of());
    world.node("a");
    world.drive("S", it -> !it.observed().clean());
    world.end();
    return device;
  }

  /// BM-119: of a wipe that nobody asks for any more there is only its note left.
  @Test
  void whatIsHalfWipedIsNobodysBeforeSomebodySaysSo() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      world.node("a");
      var blank = world.drive("S", Drive::available);
      world.wiping(blank, "volume of yesterday", MIB);
      var read = world.drive("S", it -> !it.observed().clean());
      assertThat(read.available()).isFalse();
      assertThat(read.holding(List.of())).contains("a wipe that was begun");
      world.annotate(BareMetalKinds.DRIVE, read.meta().key(), Marks.INITIALIZE, read.review());
      world.drive("S", Drive::available);
    }
  }

  /// BM-211: what is in a partition is part of what is read.
  @Test
  void anotherFileSystemInAPartitionIsAnotherDriveToWhoReadsOfIt() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      world.node("a");
      world.drive("S", Drive::available);
      world.end();
      var device = world.device("a", "S");
      var partition = new Partition(1, UUID.randomUUID(), "", MIB, 32 * MIB);
      KernelPartitions.add(device, partition);
      var inside = KernelPartitions.find(device, partition).orElseThrow();
      var before = looked(world);
      assertThat(before).anyMatch(it -> it.contains("1 at 2048+65536 holds nothing"));
      TOOLS.make(FileSystemType.EXT4, inside, List.of());
      assertThat(looked(world)).isNotEqualTo(before).anyMatch(it -> it.contains("ext4"));
      KernelPartitions.removeAll(device);
    }
  }

  private static List<String> looked(BareMetalWorld world) throws IOException {
    Path images = world.folder.resolve("img");
    try (var manager = new LoopbackManager(world.drives, images, "a")) {
      return manager.obstacles(world.drive("S", _ -> true));
    }
  }
}

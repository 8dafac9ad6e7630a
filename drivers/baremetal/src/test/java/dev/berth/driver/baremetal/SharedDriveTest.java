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

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
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

/// Several volumes on one drive (BM-210, BM-220), on real loop drives.
class SharedDriveTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 400Mi}]
      """;

  private static final String PULLED = ONE.replace("size: 400Mi", "size: 400Mi, removed: true");
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String SECRET = "what the tenant before has written";
  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());

  private static Volume share(CsiConnection driver, String name, long bytes, VolumeCapability use) {
    var request = wanted(name, bytes, use).putParameters("storageType", "shared");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true)
      try {
        return controller(driver).createVolume(request.build()).getVolume();
      } catch (CsiException e) {
        // as every caller does that is told to come again
        if (!e.code().name().equals("ABORTED") || System.nanoTime() > end) throw e;
      }
  }

  private static long room(CsiConnection driver) {
    return controller(driver)
        .getCapacity(GetCapacityRequest.newBuilder().putParameters("storageType", "SHARED").build())
        .getMaximumVolumeSize()
        .getValue();
  }

  /// BM-12, BM-80, BM-83, BM-84, BM-119, BM-210, BM-220.
  @Test
  void severalVolumesShareADriveAndNoneTakesMoreThanItsOwn() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      var drive = world.drive("S", Drive::available);
      long usable = Sharing.usable(400 * MIB);
      assertThat(room(driver)).isBetween(usable - MIB, usable);
      assertThat(share(driver, "v1", 40 * MIB, mount("ext4")).getCapacityBytes())
          .isEqualTo(40 * MIB);
      share(driver, "v2", 120 * MIB, mount("btrfs"));
      share(driver, "raw", 16 * MIB, block());
      assertThat(room(driver)).isBetween(usable - 177 * MIB, usable - 176 * MIB);
      var there = world.drive("S", it -> it.sharing().shares().size() == 3);
      assertThat(there.available()).isFalse();
      world.capacity(drive, usable - 176 * MIB);
      refused(() -> create(driver, "whole", MIB, mount("")), "RESOURCE_EXHAUSTED");
      refused(() -> share(driver, "huge", 300 * MIB, mount("")), "RESOURCE_EXHAUSTED");

      for (var id : List.of("v1", "v2"))
        use(world, driver, id, mount(id.equals("v1") ? "ext4" : "btrfs"));
      use(world, driver, "raw", block());
      Files.writeString(world.target("v1").resolve("file"), SECRET);
      Files.writeString(world.target("v2").resolve("file"), "two");
      assertThatThrownBy(() -> fill(world.target("v1").resolve("much"), 60 * MIB))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("space");
      fill(world.target("v2").resolve("much"), 30 * MIB);
      Files.delete(world.target("v1").resolve("much"));
      assertThat(Files.size(world.target("raw"))).isZero(); // a device
      try (var raw = FileChannel.open(world.target("raw"), StandardOpenOption.WRITE)) {
        assertThat(raw.size()).isEqualTo(16 * MIB);
        raw.write(ByteBuffer.wrap(SECRET.getBytes(StandardCharsets.UTF_8)));
        raw.force(true);
      }
      var stats =
          node(driver)
              .nodeGetVolumeStats(
                  NodeGetVolumeStatsRequest.newBuilder()
                      .setVolumeId("v1")
                      .setVolumePath(world.target("v1").toString())
                      .build());
      assertThat(stats.getUsage(0).getTotal()).isBetween(30 * MIB, 40 * MIB);
      assertThat(stats.getVolumeCondition().getAbnormal())
          .as(stats.getVolumeCondition().getMessage())
          .isFalse();

      unused(world, driver, "raw");
      delete(driver, "raw");
      share(driver, "raw2", 16 * MIB, block());
      use(world, driver, "raw2", block());
      assertThat(Files.readAllBytes(world.target("raw2"))).containsOnly(0);
      unused(world, driver, "raw2");
      delete(driver, "raw2");
      assertThat(bears(world.device("a", "S"), SECRET)).isTrue();
      unused(world, driver, "v2");
      delete(driver, "v2");
      assertThat(Files.readString(world.target("v1").resolve("file"))).isEqualTo(SECRET);
      unused(world, driver, "v1");
      delete(driver, "v1");
      world.drive("S", Drive::available);
      assertThat(bears(world.device("a", "S"), SECRET)).isFalse();
      assertThat(new LoopDevices().attached())
          .noneMatch(it -> it.backingFile().startsWith(world.folder + "/img/pools"));
    }
  }

  /// BM-05, BM-55, BM-118: the next process finds what the last has left, mounted or not.
  @Test
  void anotherProcessFindsTheSharesAgain() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var first = world.node("a");
      world.drive("S", Drive::available);
      share(first, "v", 32 * MIB, mount("ext4"));
      use(world, first, "v", mount("ext4"));
      Files.writeString(world.target("v").resolve("file"), SECRET);
      world.end();
      var second = world.node("a");
      unused(world, second, "v");
      share(second, "w", 32 * MIB, mount("ext4"));
      use(world, second, "v", mount("ext4"));
      assertThat(Files.readString(world.target("v").resolve("file"))).isEqualTo(SECRET);
      unused(world, second, "v");
      delete(second, "v");
      delete(second, "w");
      world.drive("S", Drive::available);
    }
  }

  /// BM-102, BM-210: what is left on a drive that was pulled goes when it is back.
  @Test
  void aShareThatIsDeletedWhileTheDriveIsPulledGoesLater() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      share(driver, "v", 32 * MIB, block());
      share(driver, "w", 32 * MIB, block());
      Files.writeString(world.share("v"), SECRET, StandardOpenOption.WRITE);
      world.letGo("S");
      world.plan(PULLED);
      world.drive("S", it -> it.observed().presence() == Presence.OFFLINE);
      delete(driver, "v");
      assertThat(world.drive("S", _ -> true).sharing().shares())
          .anyMatch(it -> it.left() && it.volume().equals("default/v"));
      world.plan(ONE);
      world.drive("S", it -> it.sharing().shares().size() == 1 && it.room() > 0);
      delete(driver, "w");
      world.drive("S", Drive::available);
      assertThat(bears(world.device("a", "S"), SECRET)).isFalse();
    }
  }

  /// BM-111, BM-210: what a drive holds stays, and no volume is made beside it.
  @Test
  void aDriveThatHoldsAnythingIsNotShared() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      TOOLS.make(FileSystemType.EXT4, world.device("a", "S"), List.of());
      refused(() -> share(driver, "v", 32 * MIB, mount("ext4")), "INTERNAL");
      delete(driver, "v");
      world.drive("S", it -> it.sharing().shares().isEmpty() && !it.observed().clean());
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isInstanceOf(Content.FileSystem.class);
      refused(() -> share(driver, "v", 32 * MIB, mount("ext4")), "RESOURCE_EXHAUSTED");
    }
  }

  /// BM-110, BM-111, BM-210: whatever cannot be read of the file system, nothing is made anew over
  /// volumes that live on it.
  @Test
  void aDamagedFileSystemIsNotMadeAnewOverTheVolumesOnIt() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      share(driver, "v", 32 * MIB, block());
      Files.writeString(world.share("v"), SECRET, StandardOpenOption.WRITE);
      world.letGo("S");
      var device = world.device("a", "S");
      var superblock = first(device);
      write(device, new byte[superblock.length]);
      assertThat(TOOLS.contentOf(device)).isInstanceOf(Content.Blank.class);
      refused(() -> share(driver, "w", 32 * MIB, block()), "INTERNAL");
      assertThat(bears(device, SECRET)).isTrue();
      delete(driver, "w");
      write(device, superblock);
      share(driver, "x", 32 * MIB, block());
      assertThat(world.volume("v", _ -> true).status()).isEqualTo(CsiStatus.CREATED);
      delete(driver, "x");

      world.letGo("S");
      world.inPool("S", pool -> Files.delete(pool.resolve(".made")));
      refused(() -> share(driver, "y", 32 * MIB, block()), "INTERNAL");
      assertThat(bears(device, SECRET)).isTrue();
    }
  }

  private static byte[] first(Path device) throws IOException {
    try (var stream = Files.newInputStream(device)) {
      return stream.readNBytes(8192);
    }
  }

  private static void write(Path device, byte[] bytes) throws IOException {
    try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.force(true);
    }
  }

  private static void use(
      BareMetalWorld world, CsiConnection driver, String id, VolumeCapability use)
      throws Exception {
    world.stage(driver, id, use);
    world.publish(driver, id, use);
  }

  private static void unused(BareMetalWorld world, CsiConnection driver, String id)
      throws Exception {
    world.unpublish(driver, id);
    world.unstage(driver, id);
  }

  private static void fill(Path file, long bytes) throws IOException {
    var piece = ByteBuffer.allocate((int) MIB);
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long done = 0; done < bytes; done += MIB) channel.write(piece.clear());
      channel.force(true);
    }
  }

  /// Piece by piece: a drive is larger than the memory of a test.
  private static boolean bears(Path device, String text) throws Exception {
    var wanted = text.getBytes(StandardCharsets.ISO_8859_1);
    var before = "";
    try (var stream = Files.newInputStream(device)) {
      for (var piece = stream.readNBytes((int) MIB);
          piece.length > 0;
          piece = stream.readNBytes((int) MIB)) {
        var now = before + new String(piece, StandardCharsets.ISO_8859_1);
        if (now.contains(text)) return true;
        before = now.substring(Math.max(0, now.length() - wanted.length));
      }
      return false;
    }
  }

  private static void refused(ThrowingCallable call, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            it -> assertThat(it.code().name()).as(it.getMessage()).isEqualTo(code));
  }
}

package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.DyingApi.Last;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.linux.partition.PartitionTable;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node that is killed between any two steps of making a volume and of taking it away (BM-282):
/// the next one goes on, and there is one partition, one file system, and at the end nothing.
class CrashTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  /// More writes than a node makes for a volume: the last rows are those of one that is not killed.
  private static final int MOST_WRITES = 30;

  private static CompletableFuture<Boolean> again(ThrowingCall call) {
    return CompletableFuture.supplyAsync(
        () -> {
          long end = System.nanoTime() + PATIENCE.toNanos();
          while (true)
            try {
              call.run();
              return true;
            } catch (CsiException e) {
              if (System.nanoTime() > end) throw e;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
        },
        Thread::startVirtualThread);
  }

  private interface ThrowingCall {
    void run() throws Exception;
  }

  /// BM-81, BM-100, BM-110, BM-119, BM-282: in a partition, and beside others.
  @ParameterizedTest
  @ValueSource(strings = "ANY")
  void whereverANodeIsKilledTheNextGoesOn(String storageType) throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var control = world.driver("", Set.of(Service.CONTROLLER));
      var first = world.started("a", world.api);
      world.drive("S", Drive::available);
      first.close();
      for (var last : Last.values())
        for (int at = 1; at <= MOST_WRITES; at++)
          if (!isKilledAt(world, control, storageType, at, last)) break;
    }
  }

  /// @return whether it was killed: else there are no more steps
  private static boolean isKilledAt(
      BareMetalWorld world, CsiConnection control, String storageType, int at, Last last)
      throws Exception {
    var id = "v-%s-%d".formatted(last, at).toLowerCase(Locale.ROOT);
    var wanted =
        wanted(id, 16 * MIB, mount("ext4"))
            .putParameters("storageType", storageType)
            .putParameters("isPartitioned", "true");
    boolean killed =
        interrupted(
            world,
            at,
            last,
            () -> controller(control).createVolume(wanted.build()),
            it -> it.claimant().isPresent() || it.sharing().any());
    var volume = world.volume(id, it -> it.status() == CsiStatus.CREATED);
    var drive = world.drive("S", it -> it.claimedBy(volume.meta()));
    assertThat(world.all(BareMetalKinds.VOLUME)).hasSize(1);
    assertThat(drive.sharing().shares().size() + drive.claimant().stream().count()).isEqualTo(1);
    if (storageType.equals("ANY")) {
      assertThat(PartitionTable.read(world.device("a", "S")).orElseThrow().partitions()).hasSize(1);
      assertThat(TOOLS.contentAt(world.device("a", "S"), MIB))
          .isEqualTo(new Content.FileSystem("ext4", "", LocalVolume.uuid(id).toString()));
    }
    killed |= interrupted(world, at, last, () -> delete(control, id), Drive::available);
    assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
    assertThat(TOOLS.contentOf(world.device("a", "S"))).isEqualTo(new Content.Blank());
    assertThat(Files.exists(world.partition("a", "S"))).isFalse();
    return killed;
  }

  /// Calls while the node is one that is killed, and then, if it was, while it is one that is not.
  private static boolean interrupted(
      BareMetalWorld world, int at, Last last, ThrowingCall call, Predicate<Drive> then)
      throws Exception {
    var dying = DyingApi.of(world.api, at, last);
    var done = again(call);
    try (var _ = world.started("a", dying.api())) {
      await().atMost(PATIENCE).until(() -> dying.isDead() || done.isDone());
    } catch (IllegalStateException killed) {
      assertThat(dying.isDead()).as(killed.getMessage()).isTrue(); // before it had begun
    }
    try (var _ = world.started("a", world.api)) {
      assertThat(done.join()).isTrue();
      world.drive("S", then);
    }
    return dying.isDead();
  }

  /// BM-110, BM-282: the maker of the file system was killed on the way: what it has left is made
  /// anew. BM-111: but only where this volume has begun to write.
  @Test
  void aFileSystemThatWasNotMadeToItsEndIsMadeAnew() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var control = world.driver("", Set.of(Service.CONTROLLER));
      var first = world.started("a", world.api);
      world.drive("S", Drive::available);
      var wanted =
          wanted("v", 16 * MIB, mount("ext4")).putParameters("isPartitioned", "true").build();
      assertThat(again(() -> controller(control).createVolume(wanted)).join()).isTrue();
      first.close();
      var volume = world.volume("v", it -> it.written());
      // as it is when mke2fs has written its first block, and the node has said nothing yet
      try (var device = FileChannel.open(world.device("a", "S"), StandardOpenOption.WRITE)) {
        device.write(ByteBuffer.allocate((int) (8 * MIB)), MIB + 64 * 1024);
      }
      world.status(volume, "CREATING");
      try (var _ = world.started("a", world.api)) {
        world.volume("v", it -> it.status() == CsiStatus.CREATED);
        assertThat(TOOLS.isWhole(FileSystemType.EXT4, world.partition("a", "S"))).isTrue();
        delete(control, "v");
        world.drive("S", Drive::available);
      }
    }
  }
}

package dev.berth.driver.baremetal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.fault.FaultyFolder;
import dev.berth.driver.baremetal.fault.FaultyFolder.Fault;
import dev.berth.driver.baremetal.node.Erasure.Progress;
import dev.berth.driver.baremetal.node.Erasure.Touched;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.Zeros;
import dev.berth.linux.loop.HeldLoop;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.partition.PartitionTable;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Zeros over all of a drive, whoever is killed meanwhile (BM-119), on real loop devices.
class ErasureTest {
  private static final int MIB = 1 << 20;
  private static final LoopDevices LOOPS = new LoopDevices();

  @TempDir private Path folder;

  @BeforeEach
  void need() {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
  }

  /// @param zeros how much of the beginning has been wiped
  private HeldLoop drive(int zeros) throws Exception {
    var bytes = new byte[8 * MIB];
    Arrays.fill(bytes, zeros, bytes.length, (byte) 7);
    var image = Files.write(folder.resolve("drive.img"), bytes);
    return LOOPS.attach(image, LoopOptions.UNTIL_UNUSED);
  }

  private static class Noted implements Progress {
    private final long before;
    private final List<Long> notes = new ArrayList<>();

    private Noted(long before) {
      this.before = before;
    }

    @Override
    public long done() {
      return before;
    }

    @Override
    public void note(long bytes) {
      notes.add(bytes);
    }
  }

  private static Erasure erasure(HeldLoop drive, Progress progress) {
    return new Erasure(drive.device(), progress, Duration.ZERO, () -> false);
  }

  private static boolean isBlank(HeldLoop drive) {
    return Zeros.isAll(drive.device(), 0, BlockDevice.size(drive.device()));
  }

  @Test
  void whoComesNextGoesOnWhereItWas() throws Exception {
    try (var drive = drive(5 * MIB)) {
      var progress = new Noted(5 * MIB);
      assertThat(erasure(drive, progress).from()).isEqualTo(5 * MIB);
      erasure(drive, progress).run();
      assertThat(progress.notes).startsWith(5L * MIB).endsWith(8L * MIB);
      assertThat(isBlank(drive)).isTrue();
    }
  }

  /// The drive may have been somewhere else meanwhile.
  @Test
  void whatIsNotZerosIsNotTakenForThem() throws Exception {
    try (var drive = drive(2 * MIB)) {
      var progress = new Noted(5 * MIB);
      assertThat(erasure(drive, progress).from()).isZero();
      assertThat(erasure(drive, new Noted(9 * MIB)).from()).isZero();
      erasure(drive, progress).run();
      assertThat(isBlank(drive)).isTrue();
    }
  }

  /// BM-211: who was asked to take one thing off takes no other off.
  @Test
  void whatIsNotZerosCanBeAReasonNotToBegin() throws Exception {
    try (var drive = drive(2 * MIB)) {
      var progress =
          new Noted(5 * MIB) {
            @Override
            public void lost() throws Touched {
              throw new Touched("S");
            }
          };
      assertThatThrownBy(erasure(drive, progress)::run).isInstanceOf(Touched.class);
      assertThat(Zeros.isAll(drive.device(), 0, 2 * MIB)).isTrue();
      assertThat(Zeros.isAll(drive.device(), 2 * MIB, 3 * MIB)).isFalse();
    }
  }

  @Test
  void itIsBrokenOffForTheEndOfTheDriver() throws Exception {
    try (var drive = drive(0)) {
      var erasure = new Erasure(drive.device(), new Noted(0), Duration.ZERO, () -> true);
      assertThatThrownBy(erasure::run).isInstanceOf(InterruptedIOException.class);
      assertThat(isBlank(drive)).isFalse();
    }
  }

  /// BM-06: virtual threads share as few carriers as there are processors.
  @Test
  void drivesThatHangKeepNobodyElseFromHisWork() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "needs FUSE: skipped");
    var place = Files.createDirectory(folder.resolve("place"));
    var store = Files.createDirectory(folder.resolve("store"));
    var drives = new ArrayList<HeldLoop>();
    var wipes = new ArrayList<CompletableFuture<Void>>();
    var sizes = Map.of("a", 4L * MIB, "b", 4L * MIB, "c", 4L * MIB, "d", 4L * MIB);
    try (var faulty = new FaultyFolder(store, place, sizes)) {
      try {
        for (var name : sizes.keySet())
          drives.add(LOOPS.attach(faulty.file(name), LoopOptions.UNTIL_UNUSED));
        sizes.keySet().forEach(name -> faulty.set(name, Fault.HANGS));
        for (var drive : drives) {
          wipes.add(inBackground(() -> PartitionTable.read(drive.device())));
          wipes.add(inBackground(() -> erasure(drive, new Noted(0)).run()));
        }
        // Some of these begin after all of those.
        for (int others = 0; others < 20; others++)
          inBackground(() -> Thread.sleep(100)).get(30, TimeUnit.SECONDS);
        faulty.endFaults();
        for (var wipe : wipes) wipe.get(30, TimeUnit.SECONDS);
      } finally {
        faulty.endFaults();
        drives.forEach(HeldLoop::close);
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static CompletableFuture<Void> inBackground(Work work) {
    var done = new CompletableFuture<Void>();
    Thread.startVirtualThread(() -> {
      try {
        work.run();
        done.complete(null);
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }
}

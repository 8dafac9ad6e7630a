package dev.berth.driver.baremetal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.manager.folder.FolderManager;
import dev.berth.driver.baremetal.node.Erasure.Progress;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.HeldLoop;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A drive that is pulled while it is written to, and another that is plugged in, on real loop
/// devices.
class HeldDeviceTest {
  private static final long GIB = 1L << 30;
  private static final long SIZE = 3 * GIB;
  private static final LoopDevices LOOPS = new LoopDevices();

  @TempDir private Path folder;

  @BeforeEach
  void need() {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
  }

  private Path image(String name) throws IOException {
    var image = folder.resolve(name);
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
      file.seek(2 * GIB);
      file.writeLong(7);
    }
    return image;
  }

  private static Drive drive(String serial) {
    var identity = new DriveIdentity("Test", "Folder", serial);
    return BareMetalKinds.DRIVE.read().apply(Drive.draft(identity, DriveType.HDD, SIZE, "n", true));
  }

  private static long read(Path image) throws IOException {
    try (var file = new RandomAccessFile(image.toFile(), "r")) {
      file.seek(2 * GIB);
      return file.readLong();
    }
  }

  /// Takes one drive out and puts another in before a wipe's first piece.
  private static final class Swap implements Progress {
    private final Path old;
    private final Path fresh;
    private final List<HeldLoop> plugged = new ArrayList<>();

    private Swap(Path old, Path fresh) {
      this.old = old;
      this.fresh = fresh;
    }

    @Override
    public long done() {
      return 0;
    }

    @Override
    public void note(long bytes) {
      if (bytes > 0) return;
      LOOPS.detach(old);
      plugged.add(LOOPS.attach(fresh, LoopOptions.UNTIL_UNUSED));
    }
  }

  /// BM-55, BM-119: the wipe of a large disk takes hours. Whatever is plugged in meanwhile gets
  /// another name, and is left alone.
  @Test
  void whatTakesThePlaceOfADriveThatIsWipedIsLeftAlone() throws Exception {
    image("A.img");
    var other = image("other");
    try (var manager = new FolderManager(folder)) {
      assertThat(manager.drives()).hasSize(1);
      try (var device = HeldDevice.of(manager, drive("A"))) {
        var swap = new Swap(device.path(), other);
        new Erasure(device.path(), swap, Duration.ZERO, () -> false).run();
        assertThat(swap.plugged.getFirst().device()).isNotEqualTo(device.path());
        swap.plugged.getFirst().close();
      }
      assertThat(read(other)).isEqualTo(7);
    }
  }

  /// BM-55: nor is a device taken for a drive's that is not there any more when it is opened.
  @Test
  void aDriveThatIsNotThereIsNotHeld() throws Exception {
    try (var manager = new FolderManager(folder)) {
      assertThatThrownBy(() -> HeldDevice.of(manager, drive("A"))).isInstanceOf(IOException.class);
      var image = image("A.img");
      assertThat(manager.drives()).hasSize(1);
      try (var device = HeldDevice.of(manager, drive("A"))) {
        assertThat(BlockDevice.isHeld(device.path())).as("others may use it").isFalse();
        assertThat(BlockDevice.size(device.path())).isEqualTo(SIZE);
        LOOPS.detach(device.path());
      }
      assertThat(LOOPS.anyOf(image)).isEmpty();
    }
  }
}

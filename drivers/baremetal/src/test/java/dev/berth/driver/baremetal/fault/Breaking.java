package dev.berth.driver.baremetal.fault;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.file.Space;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/// Breaks file systems and drives, for good.
public final class Breaking {
  private static final long SHUT_DOWN = 0x8004587dL;
  private static final int WITHOUT_LOG = 2;

  private Breaking() {}

  /// As after an error from which the file system knows no way on (BM-255).
  public static void shutDown(Path place) {
    try (var open = Descriptor.open(place, Descriptor.O_RDONLY);
        var arena = Arena.ofConfined()) {
      var how = arena.allocateFrom(ValueLayout.JAVA_INT, WITHOUT_LOG);
      SystemCall.IOCTL.orThrow(() -> "shut down " + place, open.number(), SHUT_DOWN, how.address());
    }
  }

  /// An error of ext4 by request (BM-256).
  public static void triggerError(Path device) throws IOException {
    var trigger =
        Path.of("/sys/fs/ext4")
            .resolve(Objects.requireNonNull(device.getFileName()))
            .resolve("trigger_fs_error");
    assumeTrue(Files.exists(trigger), "this kernel makes no errors by request: skipped");
    Files.writeString(trigger, "1");
  }

  /// The drive ends before its size (BM-250).
  public static void truncate(Path image) throws IOException {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(0);
    }
  }

  /// Zeros where data was (BM-251).
  public static void zero(Path image, long from, long length) {
    Space.punchHole(image, from, length);
  }

  /// Writes until nothing more fits.
  public static void fill(Path file) throws IOException {
    for (int size = 1 << 16; size > 0; size /= 2)
      try (var out =
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        while (true) out.write(new byte[size]);
      } catch (IOException full) {
        // with smaller pieces, then
      }
  }

  /// Mounts a new file system on a new image.
  ///
  /// @return its loop device, which goes with the mount
  public static Path make(Path image, long size, FileSystemType type, Path place)
      throws IOException {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(size);
    }
    try (var loop = new LoopDevices().attach(image, LoopOptions.UNTIL_UNUSED)) {
      new FileSystemTools(Tools.ofThisMachine()).make(type, loop.device(), List.of());
      Mounts.ofThisMachine().mount(type.word(), loop.device().toString(), place, MountOptions.NONE);
      return loop.device();
    }
  }
}

package dev.berth.driver.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.file.Space;
import dev.berth.linux.file.Usage;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Fills pools, and tells what volumes in them have acknowledged.
final class FullPool {
  /// Leaves so many bytes free, or not one.
  static void fill(Path pool, Path filler, long left) throws IOException {
    Files.write(filler, new byte[1]);
    var size = Usage.of(pool).available() - left;
    for (var step = size; step >= 1024; step /= 2)
      try {
        while (Usage.of(pool).available() - left >= step)
          Space.reserve(filler, Files.size(filler) + step);
      } catch (LinuxException full) {
        assertThat(full.failure()).isInstanceOf(Failure.Full.class);
      }
  }

  /// Leaves nothing free. XFS counts what a file has already once more when it grows, so there are
  /// many.
  static void fillAll(Path folder) {
    var files = 0;
    for (var size = 128L << 20; size >= 4096; size /= 2)
      try {
        while (true) {
          var file = folder.resolve("filler-" + files++);
          Files.createFile(file);
          Space.reserve(file, size);
        }
      } catch (LinuxException full) {
        assertThat(full.failure()).isInstanceOf(Failure.Full.class);
      } catch (IOException full) {
        return; // not even for a name
      }
  }

  /// How many files were acknowledged by fsync before the first that was not.
  static int writeUntilRefused(Path folder) {
    for (int i = 0; ; i++)
      try (var file = new RandomAccessFile(folder.resolve("file-" + i).toFile(), "rw")) {
        file.write(content(i));
        file.getFD().sync();
      } catch (IOException full) {
        return i;
      }
  }

  /// Whether what was acknowledged is there.
  static void assertThere(Path folder, int acknowledged) {
    assertThat(acknowledged).isGreaterThan(10);
    for (int i = 0; i < acknowledged; i++)
      assertThat(folder.resolve("file-" + i)).hasBinaryContent(content(i));
  }

  private static byte[] content(int number) {
    var content = new byte[1_000_000];
    Arrays.fill(content, (byte) (number + 1));
    return content;
  }

  private FullPool() {}
}

package dev.berth.driver.disk.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether there is anything to grow, as those who grow file systems see it (CTL-22).
class FileSystemSizeTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  /// Sizes around the point from which on a last group is of use: what resize2fs leaves is not
  /// behind, and what it takes was.
  @ParameterizedTest
  @CsvSource({
    "64, 65",
    "512, 513",
    "512, 514",
    "512, 515",
    "512, 530",
    "1024, 1025",
    "1024, 1027",
    "896, 897",
    "1152, 1157",
    "1152, 1153",
    "128, 131"
  })
  void itIsBehindWhereResize2fsFindsSomethingToDo(long made, long grown) throws IOException {
    var image = image("ext4", made);
    assertThat(FileSystemSize.isBehind(image)).isFalse();
    resize(image, grown);
    var behind = FileSystemSize.isBehind(image);
    var before = FileSystemSize.of(image);
    run("e2fsck", "-f", "-p", image.toString());
    run("resize2fs", image.toString());
    assertThat(!FileSystemSize.of(image).equals(before)).isEqualTo(behind);
    assertThat(FileSystemSize.isBehind(image)).isFalse();
  }

  @Test
  void anXfsWithoutRoomForAnotherGroupIsNotBehind() throws IOException {
    var image = image("xfs", 320);
    resize(image, 320, 100 << 10);
    assertThat(FileSystemSize.isBehind(image)).isFalse();
    resize(image, 321);
    assertThat(FileSystemSize.isBehind(image)).isTrue();
  }

  private Path image(String type, long mib) throws IOException {
    assumeTrue(Tools.ofThisMachine().has("mkfs." + type), "needs mkfs." + type + ": skipped");
    var image = folder.resolve(type);
    resize(image, mib);
    run("mkfs." + type, "-q", image.toString());
    return image;
  }

  private static void resize(Path image, long mib) throws IOException {
    resize(image, mib, 0);
  }

  private static void resize(Path image, long mib, long bytes) throws IOException {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(mib * MIB + bytes);
    }
  }

  private static void run(String... command) {
    var result =
        Tools.ofThisMachine().run(new ArrayList<>(List.of(command)), Duration.ofMinutes(1));
    assertThat(result.exitCode()).as(result.words()).isZero();
  }
}

package dev.berth.driver.disk.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.VolumeStore;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Space;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatterTest {
  private static final long BYTES = 16 << 20;

  @TempDir Path folder;

  /// Its room is given away for the file system that is to take its place, which then fails.
  @Test
  void aThickVolumeThatCannotBeFormattedKeepsItsRoom() throws IOException {
    try (var pool = Pool.open(folder.resolve("pool"))) {
      var image = Files.createFile(pool.volumes().image("v"));
      Space.reserve(image, BYTES);
      var formatter = new Formatter(new FileSystemTools(new Vandal(VolumeStore.formatting(image))));
      assertThatThrownBy(() ->
              formatter.ensure(pool, "v", new Disk(image, Disk.SMALL, Allocation.THICK), "ext4"))
          .isInstanceOf(LinuxException.class);
      assertThat(FileStatus.of(image).allocated()).isGreaterThanOrEqualTo(BYTES);
    }
  }

  /// Takes away what it was to make.
  private record Vandal(Path fresh) implements Tools {
    @Override
    public Result run(List<String> command, Duration deadline) {
      if (command.getFirst().equals("blkid")) return new Result(2, "", "");
      try {
        Files.delete(fresh);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Result(0, "", "");
    }

    @Override
    public boolean has(String program) {
      return true;
    }
  }
}

package dev.berth.driver.disk.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagerTest {
  private static final long BYTES = 320L << 20;

  @TempDir Path folder;

  private final List<String> programs = new ArrayList<>();

  /// A mount recovers them (mount-utils looks through neither).
  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void aFileSystemThatRecoversByItselfIsNotLookedThrough(String fsType) throws IOException {
    assertThat(programsOfSecondStage(fsType, AccessMode.SINGLE_NODE_WRITER)).containsOnly("blkid");
  }

  @Test
  void anExt4IsLookedThroughIfItIsNotClean() throws IOException {
    assertThat(programsOfSecondStage("ext4", AccessMode.SINGLE_NODE_WRITER))
        .containsExactly("blkid", "e2fsck");
  }

  @Test
  void whatIsOnlyToBeReadIsNotWrittenTo() throws IOException {
    assertThat(programsOfSecondStage("ext4", AccessMode.SINGLE_NODE_READER_ONLY))
        .containsOnly("blkid");
  }

  private List<String> programsOfSecondStage(String fsType, AccessMode mode) throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "needs loop devices: skipped");
    assumeTrue(Tools.ofThisMachine().has("mkfs." + fsType), "needs mkfs." + fsType + ": skipped");
    var access = new Access.Mount(fsType, List.of(), "");
    try (var pool = Pool.open(folder.resolve("pool"))) {
      var image = Files.createFile(pool.volumes().image("v"));
      try (var file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(BYTES);
      }
      var disk = new Disk(image, Disk.sectorFor(image), Allocation.THIN);
      var staging = Files.createDirectory(folder.resolve("staging"));
      var stager = new Stager(Kernel.ofThisMachine(), new FileSystemTools(new Noted(programs)));
      stager.mount(pool, "v", disk, staging, access, AccessMode.SINGLE_NODE_WRITER);
      stager.unmountAll(image, staging);
      stager.waitUntilDetached(image);
      programs.clear();
      stager.mount(pool, "v", disk, staging, access, mode);
      stager.unmountAll(image, staging);
      stager.waitUntilDetached(image);
    }
    return programs;
  }

  /// Runs programs, and notes which.
  private record Noted(List<String> programs) implements Tools {
    @Override
    public Result run(List<String> command, Duration deadline) {
      programs.add(command.getFirst());
      return Tools.ofThisMachine().run(command, deadline);
    }

    @Override
    public boolean has(String program) {
      return Tools.ofThisMachine().has(program);
    }
  }
}

package dev.berth.driver.disk.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.disk.DiskService;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pool on a disk of its own, and a boot without that disk.
class PoolMountTest {
  private final Mounts mounts = Mounts.ofThisMachine();
  @TempDir private Path folder;
  private Path disk;
  private Path pool;

  @BeforeEach
  void aMountPoint() throws IOException {
    disk = Files.createDirectory(folder.toRealPath().resolve("disk"));
    pool = disk.resolve("pool");
  }

  @AfterEach
  void unmount() throws IOException {
    while (mounts.table().at(disk).isPresent()) mounts.unmount(disk, Mounts.Unmount.IF_UNUSED);
  }

  @Test
  void noPoolIsMadeWhereTheDiskIsNotMounted() {
    assertRefused();
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void norInAContainerThatWasLentTheEmptyMountPoint() throws IOException {
    assumeRoot();
    mounts.bind(disk, disk, Mounts.Depth.ONE, MountOptions.NONE);
    assertRefused();
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void whereItIsMountedOneIs() throws IOException {
    assumeRoot();
    mounts.mount("tmpfs", "tmpfs", disk, MountOptions.NONE);
    assertThat(PoolMount.whyNot(disk, List.of(pool))).isEmpty();
  }

  @Test
  void aPoolElsewhereIsAMistake() {
    for (var other : List.of(disk, folder.resolve("pool"), disk.resolve("../pool")))
      assertThatThrownBy(() -> PoolMount.whyNot(disk, List.of(other)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not below --pool-mount-point");
  }

  private void assertRefused() {
    var told = new ByteArrayOutputStream();
    var code =
        DiskService.run(
            List.of(
                "--endpoint=unix://" + folder.resolve("csi.sock"),
                "--services=controller", // a node's part asks for root first
                "--pool=" + pool,
                "--pool-mount-point=" + disk),
            System.out,
            new PrintStream(told, true, StandardCharsets.UTF_8));
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains("no disk is mounted on --pool-mount-point " + disk);
    assertThat(code).isEqualTo(1);
  }

  private static void assumeRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
  }
}

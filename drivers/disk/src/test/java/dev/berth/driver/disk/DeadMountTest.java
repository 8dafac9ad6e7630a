package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A file system that was shut down after an error stays mounted and is of no use to anybody: it is
/// taken away and mounted again (NOD-20).
class DeadMountTest {
  private static final VolumeCapability USE = mount(Mode.SINGLE_NODE_WRITER, "xfs");

  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private String id;
  private Path staging;
  private Path target;

  @BeforeEach
  void makeWorld() throws IOException {
    assumeTrue(Files.exists(Path.of("/usr/sbin/xfs_io")), "needs xfs_io: skipped");
    world = DiskWorld.make();
    driver = world.node("n1");
    staging = world.directory("staging");
    target = world.directory("pods").resolve("target");
    id = createVolume(driver, "v", 320 * MIB, USE).getVolumeId();
    attach(driver, id, "n1", USE);
    stage(driver, id, staging, USE);
    Files.writeString(
        staging.resolve("file"),
        "kept",
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
  }

  private void shutDown() throws Exception {
    var tool =
        new ProcessBuilder("xfs_io", "-x", "-c", "shutdown -f", staging.toString())
            .inheritIO()
            .start();
    assertThat(tool.waitFor()).isZero();
  }

  @Test
  void itIsStagedAnew() throws Exception {
    shutDown();
    stage(driver, id, staging, USE);
    assertThat(staging.resolve("file")).hasContent("kept");
    unstage(driver, id, staging);
  }

  @Test
  void whileItIsPublishedNobodySaysThatAllIsWell() throws Exception {
    publish(driver, id, staging, target, USE);
    shutDown();
    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "not staged",
        () -> publish(driver, id, staging, target, USE));
    unpublish(driver, id, target);
    stage(driver, id, staging, USE);
    publish(driver, id, staging, target, USE);
    assertThat(target.resolve("file")).hasContent("kept");
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  @Test
  void itGoesAlsoWhileSomebodyHoldsIt() throws Exception {
    publish(driver, id, staging, target, USE);
    try (var _ = Files.newInputStream(target.resolve("file"))) {
      shutDown();
      unpublish(driver, id, target);
      unstage(driver, id, staging);
      assertThat(world.mounts()).isEmpty();
    }
  }
}

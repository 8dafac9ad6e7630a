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

import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files belong to the group that the caller names (CAP-07).
class MountGroupTest {
  @AutoClose private DiskWorld world;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void filesBelongToTheGroupOfWhoUsesThemNow(String fsType) throws IOException {
    var driver = world.node("n1");
    var plain = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var staging = world.directory("staging");
    var target = world.folder.resolve("target");
    var elsewhere = Files.writeString(world.folder.resolve("elsewhere"), "not ours");
    var id = createVolume(driver, "pvc-1", 320 * MIB, plain).getVolumeId();
    attach(driver, id, "n1", plain);
    for (var group : new int[] {4321, 4321, 55}) {
      var use = owned(plain, Integer.toString(group));
      stage(driver, id, staging, use);
      stage(driver, id, staging, use);
      publish(driver, id, staging, target, use);
      var folder = Files.createDirectories(target.resolve("folder"));
      var made = Files.writeString(folder.resolve("file-of-" + group), "data");
      assertThat(group(target)).isEqualTo(group);
      assertThat(group(folder)).isEqualTo(group);
      assertThat(group(made)).isEqualTo(group);
      var first = folder.resolve("file-of-4321");
      assertThat(group(first)).isEqualTo(group);
      if (group == 55) assertThat(mode(first) & 060).isEqualTo(060);
      if (!Files.isSymbolicLink(folder.resolve("link")))
        Files.createSymbolicLink(folder.resolve("link"), elsewhere);
      unpublish(driver, id, target);
      unstage(driver, id, staging);
    }
    assertThat(group(elsewhere)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"staff", "-1", "4294967296", "１２"})
  void aGroupIsANumber(String group) throws IOException {
    var driver = world.node("n1");
    var plain = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "pvc-1", 16 * MIB, plain).getVolumeId();
    attach(driver, id, "n1", plain);
    var staging = world.directory("staging");
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "volume_mount_group is " + group,
        () -> stage(driver, id, staging, owned(plain, group)));
    assertThat(world.mounts()).isEmpty();
  }

  private static VolumeCapability owned(VolumeCapability use, String group) {
    var owned = use.toBuilder();
    owned.getMountBuilder().setVolumeMountGroup(group);
    return owned.build();
  }

  private static int group(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:gid");
  }

  private static int mode(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:mode");
  }
}

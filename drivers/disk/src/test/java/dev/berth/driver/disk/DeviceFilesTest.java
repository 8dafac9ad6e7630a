package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A device file that a privileged pod has left in a volume gives nobody else a disk.
class DeviceFilesTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private Path staging;
  private Path target;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
    staging = world.directory("staging");
    target = world.directory("pods").resolve("target");
  }

  @Test
  void doNotWork() throws IOException {
    published(DiskWorld.mount(Mode.SINGLE_NODE_WRITER));
    for (var place : List.of(staging, target)) {
      assertThat(at(place).options()).contains("nodev").doesNotContain("nosuid", "noexec");
      var zero = device(place);
      assertThatThrownBy(() -> Files.newInputStream(zero).close()).isInstanceOf(IOException.class);
      Files.delete(zero);
    }
  }

  @Test
  void workIfTheClassAsksForThem() throws IOException {
    published(with("noatime,dev"));
    for (var place : List.of(staging, target)) {
      assertThat(at(place).options()).contains("noatime").doesNotContain("nodev");
      var zero = device(place);
      try (var opened = Files.newInputStream(zero)) {
        assertThat(opened.read()).isZero();
      }
      Files.delete(zero);
    }
  }

  @Test
  void doNotWorkInAPodsOwnVolume() {
    DiskWorld.node(driver)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("inline")
                .setTargetPath(target.toString())
                .setVolumeCapability(DiskWorld.mount(Mode.SINGLE_NODE_WRITER))
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("size", "16Mi")
                .build());
    assertThat(at(target).options()).contains("nodev");
    DiskWorld.unpublish(driver, "inline", target);
  }

  private void published(VolumeCapability use) {
    var id = createVolume(driver, "v", 16 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
  }

  private static VolumeCapability with(String... flags) {
    var use = DiskWorld.mount(Mode.SINGLE_NODE_WRITER).toBuilder();
    use.getMountBuilder().addAllMountFlags(List.of(flags));
    return use.build();
  }

  private static MountEntry at(Path place) {
    return Mounts.ofThisMachine().table().at(place).orElseThrow();
  }

  /// A harmless one: /dev/zero.
  private static Path device(Path place) {
    var file = place.resolve("zero");
    var command = List.of("mknod", file.toString(), "c", "1", "5");
    assertThat(Tools.ofThisMachine().run(command, Duration.ofSeconds(10)).exitCode()).isZero();
    return file;
  }
}

package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the kernel says of a staged volume's file system is told (BM-190, BM-191, BM-255, BM-256).
class MountedHealthTest {
  private static final long SHUT_DOWN = 0x8004587dL;

  @AutoClose private DiskWorld world;
  private Path staging;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    staging = world.directory("staging");
  }

  private CsiConnection staged(String fsType) throws IOException {
    assumeTrue(Tools.ofThisMachine().has("mkfs." + fsType), "needs mkfs." + fsType + ": skipped");
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var id = createVolume(driver, "pvc-1", 320 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    assertThat(reasons(driver, id)).isEmpty();
    return driver;
  }

  private List<String> reasons(CsiConnection driver, String id) {
    return DiskWorld.node(driver)
        .nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build())
        .getVolumeHealth()
        .getHealthStatusesList()
        .stream()
        .map(VolumeHealthEntry::getReason)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  void aFileSystemThatWasShutDownIsTold(String fsType) throws IOException {
    var driver = staged(fsType);
    var id = createVolume(driver, "pvc-1", 320 * MIB, mount(Mode.SINGLE_NODE_WRITER, fsType));
    try (var open = Descriptor.open(staging, Descriptor.O_RDONLY);
        var arena = Arena.ofConfined()) {
      var how = arena.allocateFrom(ValueLayout.JAVA_INT, 2);
      SystemCall.IOCTL.orThrow(
          () -> "shut down " + staging, open.number(), SHUT_DOWN, how.address());
    }
    assertThat(reasons(driver, id.getVolumeId())).containsAnyOf("FileSystemShutDown", "MountDead");
  }

  @Test
  void errorsThatTheFileSystemHasCountedAreTold() throws IOException {
    var driver = staged("ext4");
    var id =
        createVolume(driver, "pvc-1", 320 * MIB, mount(Mode.SINGLE_NODE_WRITER, "ext4"))
            .getVolumeId();
    var device = Path.of(Mounts.ofThisMachine().at(staging).orElseThrow().source());
    assertThat(new LoopDevices().attached()).anyMatch(it -> it.device().equals(device));
    var trigger =
        Path.of("/sys/fs/ext4")
            .resolve(Objects.requireNonNull(device.getFileName()))
            .resolve("trigger_fs_error");
    assumeTrue(Files.exists(trigger), "this kernel makes no errors by request: skipped");
    Files.writeString(trigger, "1");
    // It counts a moment later, in a worker of its own.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> reasons(driver, id), it -> it.contains("FileSystemErrors"));
  }
}

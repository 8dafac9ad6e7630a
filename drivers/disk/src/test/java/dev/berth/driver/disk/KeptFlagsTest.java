package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.detach;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Mount flags may hold secrets: a pool can tell whether a call names the same ones again, and not
/// what they are.
class KeptFlagsTest {
  private static final String PASSWORD = "password=hunter2";

  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @Test
  void ofVolumesAndTheirNodes() throws IOException {
    var use = with("noatime", PASSWORD);
    var volume = createVolume(driver, "v", 16 * MIB, use);
    attach(driver, volume.getVolumeId(), "n1", use);

    world.stopDrivers();
    driver = world.node("n1");
    var sameUse = with(PASSWORD, "noatime");
    assertThat(createVolume(driver, "v", 16 * MIB, sameUse)).isEqualTo(volume);
    attach(driver, volume.getVolumeId(), "n1", sameUse);
    for (var other : List.of(with(), with("noatime"), with("noatime", "password=hunter3"))) {
      assertRefused(
          Status.Code.ALREADY_EXISTS,
          "volume_capabilities",
          () -> createVolume(driver, "v", 16 * MIB, other));
      assertRefused(
          Status.Code.ALREADY_EXISTS,
          "unpublish it first",
          () -> attach(driver, volume.getVolumeId(), "n1", other));
    }
    detach(driver, volume.getVolumeId(), "n1");
    delete(driver, volume.getVolumeId());
    assertPoolIsWithout("hunter");
  }

  @Test
  void ofWhatIsMounted() throws IOException {
    var use = with("noatime");
    var id = createVolume(driver, "v", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("target");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);

    world.stopDrivers();
    driver = world.node("n1");
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        "unstage it first",
        () -> stage(driver, id, staging, with("nodev")));
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        "unpublish it first",
        () -> publish(driver, id, staging, target, with("nodev")));
    assertPoolIsWithout("noatime");
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  private static VolumeCapability with(String... flags) {
    var use = mount(Mode.SINGLE_NODE_WRITER).toBuilder();
    use.getMountBuilder().addAllMountFlags(List.of(flags));
    return use.build();
  }

  private void assertPoolIsWithout(String text) throws IOException {
    try (var files = Files.walk(world.pool)) {
      for (var file : files.filter(it -> !it.toString().endsWith(".img")).toList())
        if (Files.isRegularFile(file))
          assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(text);
    }
  }
}

package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Volumes that live and die with a pod (NOD-26).
class EphemeralTest {
  /// As a kubelet makes them.
  private static final String ID = "csi-" + "0123456789abcdef".repeat(4);

  @AutoClose private DiskWorld world;
  private Path target;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    target = world.directory("pods").resolve("mount");
  }

  @Test
  void itIsMadeWithThePodAndGoesWithIt() throws Exception {
    var driver = world.node("n1");
    for (var again = 0; again < 2; again++) publish(driver, Map.of("size", "64Mi"));
    Files.writeString(target.resolve("file"), "data");
    var stats =
        DiskWorld.node(driver)
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(ID)
                    .setVolumePath(target.toString())
                    .build());
    assertThat(stats.getUsage(0).getTotal()).isBetween(50L << 20, 64L << 20);
    for (var again = 0; again < 2; again++) unpublish(driver, ID, target);
    assertThat(target).doesNotExist();
    assertNothingIsLeft();
  }

  @Test
  void itOutlivesTheDriver() throws Exception {
    publish(world.node("n1"), Map.of("size", "16Mi"));
    Files.writeString(target.resolve("file"), "data");
    world.stopDrivers();
    assertThat(PoolCheck.check(world.pool).findings()).isEmpty();
    var driver = world.node("n1");
    publish(driver, Map.of("size", "16Mi"));
    assertThat(target.resolve("file")).hasContent("data");
    unpublish(driver, ID, target);
    assertNothingIsLeft();
  }

  /// Cut off before the record: nothing; after it: what is there goes when the pod does.
  @Test
  void whatACallThatWasCutOffLeftGoes() throws Exception {
    var driver = world.node("n1");
    publish(driver, Map.of("size", "16Mi"));
    world.stopDrivers();
    Files.delete(world.pool.resolve("nodes/n1/volumes").resolve(ID));
    var stranger = world.pool.resolve("nodes/n1/ephemeral/csi-1.img");
    Files.write(stranger, new byte[9]);
    driver = world.node("n1");
    assertThat(stranger).doesNotExist();
    unpublish(driver, ID, target);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource({
    "size, many, INVALID_ARGUMENT",
    "size, -1, INVALID_ARGUMENT",
    "size, 999999999999Ti, OUT_OF_RANGE",
    "size, 1, OUT_OF_RANGE",
    "pool, ../x, INVALID_ARGUMENT",
    "color, red, INVALID_ARGUMENT"
  })
  void whatCannotBeIsRefusedAndLeavesNothing(String key, String value, Status.Code code)
      throws Exception {
    var driver = world.node("n1");
    assertRefused(code, "attribute " + key, () -> publish(driver, Map.of(key, value)));
    assertNothingIsLeft();
  }

  @Test
  void wrongMountFlagsLeaveNothing() throws Exception {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER).toBuilder();
    use.getMountBuilder().addMountFlags("nosuch");
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "mount_flags",
        () -> publish(driver, Map.of("size", "16Mi"), use.build()));
    assertNothingIsLeft();
  }

  /// A file system that was shut down after an error is mounted anew, with what it held (NOD-20).
  @Test
  void aDeadOneIsMountedAnew() throws Exception {
    assumeTrue(Files.exists(Path.of("/usr/sbin/xfs_io")), "needs xfs_io: skipped");
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER, "xfs");
    var size = Map.of("size", "320Mi");
    publish(driver, size, use);
    Files.writeString(target.resolve("file"), "kept", CREATE_NEW, WRITE, SYNC);
    shutDown();
    publish(driver, size, use);
    assertThat(target.resolve("file")).hasContent("kept");

    try (var _ = Files.newInputStream(target.resolve("file"))) {
      shutDown();
      assertRefused(Status.Code.ABORTED, "still held", () -> publish(driver, size, use));
    }
    publish(driver, size, use);
    assertThat(target.resolve("file")).hasContent("kept");
    unpublish(driver, ID, target);
    assertNothingIsLeft();
  }

  private void shutDown() throws Exception {
    var tool =
        new ProcessBuilder("xfs_io", "-x", "-c", "shutdown -f", target.toString())
            .inheritIO()
            .start();
    assertThat(tool.waitFor()).isZero();
  }

  private void publish(CsiConnection driver, Map<String, String> attributes) {
    publish(driver, attributes, mount(Mode.SINGLE_NODE_WRITER));
  }

  private void publish(CsiConnection driver, Map<String, String> attributes, VolumeCapability use) {
    DiskWorld.node(driver)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(ID)
                .setTargetPath(target.toString())
                .setVolumeCapability(use)
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                .putAllVolumeContext(attributes)
                .build());
  }

  private void assertNothingIsLeft() throws Exception {
    assertThat(world.mounts()).isEmpty();
    assertThat(world.loops()).isEmpty();
    assertThat(world.files("nodes/n1/ephemeral")).isEmpty();
    assertThat(world.files("nodes/n1/volumes")).isEmpty();
    world.stopDrivers();
    assertThat(PoolCheck.check(world.pool).findings()).isEmpty();
  }
}

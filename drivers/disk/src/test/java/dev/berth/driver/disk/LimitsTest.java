package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.controller.DiskModification;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Throttling;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.linux.file.FileStatus;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Mutable parameters are limits that the kernel keeps.
class LimitsTest {
  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");

  private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @AfterEach
  void clean() throws IOException {
    world.close();
  }

  @Test
  void aVolumeIsAsSlowAsItsLimitSays() throws Exception {
    assumeTrue(
        Files.exists(BLKIO.resolve("blkio.throttle.write_bps_device")),
        "needs the blkio control group: skipped");
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    assertThat(timeToWrite(target)).isGreaterThan(Duration.ofSeconds(1));

    modify(id, "writeBytesPerSecond", "0");
    modify(id, "readIops", "100000");
    assertThat(timeToWrite(target)).isLessThan(Duration.ofSeconds(1));
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  /// A pod's group is made between staging and publishing, and version 1 hands nothing down.
  @Test
  void aGroupThatCameAfterStagingIsLimitedFromPublishingOn() throws Exception {
    assumeTrue(
        Files.isWritable(BLKIO.resolve("blkio.throttle.write_bps_device")),
        "needs the blkio control group of version 1: skipped");
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var group = Files.createTempDirectory(BLKIO, "berth-test");
    try {
      publish(driver, id, staging, target, use);
      assertThat(Files.readString(group.resolve("blkio.throttle.write_bps_device")))
          .contains(FileStatus.of(target).special() + " 2097152");
      modify(id, "writeBytesPerSecond", "0");
    } finally {
      Files.delete(group);
    }
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  private static Duration timeToWrite(Path device) throws Exception {
    var start = System.nanoTime();
    var dd =
        new ProcessBuilder("dd", "if=/dev/zero", "of=" + device, "bs=1M", "count=4", "oflag=direct")
            .redirectErrorStream(true)
            .start();
    assertThat(dd.waitFor())
        .as(new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isZero();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void whatIsNoLimitIsRefusedAndChangesNothing() throws IOException {
    var id =
        controller(driver)
            .createVolume(wanted("v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).build())
            .getVolume()
            .getVolumeId();
    modify(id, "readIops", "100000");
    assertRefused(Status.Code.INVALID_ARGUMENT, "speed is unknown", () -> modify(id, "speed", "1"));
    assertRefused(
        Status.Code.INVALID_ARGUMENT, "whole number", () -> modify(id, "readIops", "fast"));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "speed is unknown",
        () ->
            controller(driver)
                .createVolume(
                    wanted("w", 16 * MIB, block(Mode.SINGLE_NODE_WRITER))
                        .putMutableParams("speed", "1")
                        .build()));
    assertThat(recorded(id)).containsExactly(Map.entry("readIops", "100000"));
    assertThat(world.volumeFiles()).hasSize(1);
  }

  /// Else every stage from then on would fail, on the machine that cannot limit.
  @ParameterizedTest
  @EnumSource
  void aLimitThatTheMachineCannotKeepIsNotWrittenDown(CannotLimit machine) throws IOException {
    var id =
        controller(driver)
            .createVolume(wanted("v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).build())
            .getVolume()
            .getVolumeId();
    modify(id, "readIops", "100000");
    try (var pools = Pools.open(List.of(world.pool))) {
      var volume = pools.find(id).orElseThrow().record().volume();
      var modification = new DiskModification(pools, machine);
      assertThatThrownBy(
              () -> modification.modify(volume, Map.of("writeIops", "5"), new Secrets(Map.of())))
          .isInstanceOf(Refusal.class);
    }
    assertThat(recorded(id)).containsExactly(Map.entry("readIops", "100000"));
  }

  /// Machines that this test cannot run on.
  enum CannotLimit implements Throttling {
    WITHOUT_GROUPS {
      @Override
      public void check(Limits limits) {
        throw Refusal.wrongState("no group");
      }
    },
    REFUSES_THE_DEVICE {
      @Override
      public void check(Limits limits) {}
    };

    @Override
    public void apply(Pool pool, String volumeId, Limits limits) {
      throw Refusal.wrongState("no such device in the group");
    }
  }

  private Map<String, String> recorded(String id) throws IOException {
    try (var pools = Pools.open(List.of(world.pool))) {
      return pools.find(id).orElseThrow().record().mutable();
    }
  }

  private void modify(String id, String key, String value) {
    controller(driver)
        .controllerModifyVolume(
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putMutableParameters(key, value)
                .build());
  }
}

package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.controller.DiskModification;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Mutable parameters are limits that the kernel keeps.
class LimitsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");

  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @Test
  void aVolumeIsAsSlowAsItsLimitSays() throws Exception {
    assumeVersion1();
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
    assumeVersion1();
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

  /// So it is for every container that starts, or starts anew, while its volume is in use.
  @Test
  void aGroupThatCameAfterPublishingIsLimitedToo() throws Exception {
    assumeVersion1();
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    var number = FileStatus.of(target).special();
    var pod = Files.createTempDirectory(BLKIO, "berth-test");
    try {
      var container = Files.createDirectory(pod.resolve("container"));
      try {
        await().atMost(PATIENCE).until(() -> limit(pod).contains(number + " 2097152"));
        await().atMost(PATIENCE).until(() -> limit(container).contains(number + " 2097152"));
        assertThat(timeToWrite(target, container)).isGreaterThan(Duration.ofSeconds(1));

        modify(id, "writeBytesPerSecond", "4194304");
        var next = Files.createDirectory(pod.resolve("next"));
        await().atMost(PATIENCE).until(() -> limit(next).contains(number + " 4194304"));
        Files.delete(next);
        modify(id, "writeBytesPerSecond", "0");
        assertThat(limit(container)).doesNotContain(number + " ");
      } finally {
        Files.delete(container);
      }
    } finally {
      Files.delete(pod);
    }
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  @Test
  void aGroupThatCameWhileTheDriverWasAwayIsLimitedWhenItIsBack() throws Exception {
    assumeVersion1();
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    world.stopDrivers();
    var pod = Files.createTempDirectory(BLKIO, "berth-test");
    try {
      driver = world.node("n1");
      assertThat(limit(pod)).contains(" 2097152");
    } finally {
      Files.delete(pod);
    }
    unstage(driver, id, staging);
  }

  /// The number of a device goes to whoever attaches a file next.
  @Test
  void limitsGoBeforeTheDeviceDoes() throws Exception {
    assumeVersion1();
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var number = FileStatus.of(world.loops().getFirst()).special();
    assertThat(limit(BLKIO)).contains(number + " 2097152");
    unstage(driver, id, staging);
    assertThat(limit(BLKIO)).doesNotContain(number + " 2097152");
  }

  private static void assumeVersion1() {
    assumeTrue(
        Files.isWritable(BLKIO.resolve("blkio.throttle.write_bps_device")),
        "needs the blkio control group of version 1: skipped");
  }

  private static String limit(Path group) throws IOException {
    return Files.readString(group.resolve("blkio.throttle.write_bps_device"));
  }

  private static Duration timeToWrite(Path device) throws Exception {
    return timeToWrite(device, BLKIO);
  }

  /// @param group of the process that writes
  private static Duration timeToWrite(Path device, Path group) throws Exception {
    var start = System.nanoTime();
    var dd =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ >$0/cgroup.procs && exec dd if=/dev/zero of=$1 bs=1M count=4 oflag=direct",
                group.toString(),
                device.toString())
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
    assertRefused(Status.Code.INVALID_ARGUMENT, "whole number", () -> modify(id, "readIops", "１２"));
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

  /// Nobody has to wait for a pod to hear of it: nodes say what they can when they begin.
  @Test
  void limitsThatNoNodeCanKeepAreRefusedAtOnce() throws IOException {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var limited = wanted("limited", 16 * MIB, use).putMutableParams("readIops", "100000").build();
    var plain = createVolume(driver, "plain", 16 * MIB, use).getVolumeId();
    announce("n1", Optional.of("its io controller is off"));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "node n1 cannot limit a volume: its io controller is off; leave out the limits",
        () -> controller(driver).createVolume(limited));
    assertRefused(
        Status.Code.INVALID_ARGUMENT, "io controller", () -> modify(plain, "readIops", "100000"));
    assertThat(recorded(plain)).isEmpty();
    assertThat(world.volumeFiles()).hasSize(1);
    modify(plain, "readIops", "0"); // no limit needs nobody to keep it

    announce("n2", Optional.empty());
    var id = controller(driver).createVolume(limited).getVolume().getVolumeId();
    assertRefused(
        Status.Code.FAILED_PRECONDITION, "use another node", () -> attach(driver, id, "n1", use));
    attach(driver, id, "n2", use);
    attach(driver, plain, "n1", use);
    assertRefused(
        Status.Code.INVALID_ARGUMENT, "node n1", () -> modify(plain, "readIops", "100000"));
  }

  /// What the node would write that has begun on such a machine.
  private void announce(String node, Optional<String> whyNoLimits) throws IOException {
    try (var pool = Pool.open(world.pool)) {
      pool.nodes().register(new PoolNode(node, pool.zone(), 0, whyNoLimits));
    }
  }

  /// Else every stage from then on would fail, on the machine that cannot limit.
  @Test
  void aLimitThatTheMachineRefusesIsNotWrittenDown() throws IOException {
    var id =
        controller(driver)
            .createVolume(wanted("v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).build())
            .getVolume()
            .getVolumeId();
    modify(id, "readIops", "100000");
    try (var pools = Pools.open(List.of(world.pool))) {
      var volume = pools.find(id).orElseThrow().record().volume();
      Throttling machine =
          (_, _, _) -> {
            throw Refusal.wrongState("no such device in the group");
          };
      var modification = new DiskModification(pools, machine);
      assertThatThrownBy(
              () -> modification.modify(volume, Map.of("writeIops", "5"), new Secrets(Map.of())))
          .isInstanceOf(Refusal.class);
    }
    assertThat(recorded(id)).containsExactly(Map.entry("readIops", "100000"));
  }

  /// Else the device could be somebody else's by the time that they are set.
  @Test
  void whileLimitsAreChangedTheVolumeKeepsItsDevice() throws IOException {
    var id = createVolume(driver, "v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    var held = new AtomicBoolean();
    try (var pools = Pools.open(List.of(world.pool))) {
      var volume = pools.find(id).orElseThrow().record().volume();
      Throttling machine = (pool, _, _) -> held.set(pool.holds().tryLimits(id).isEmpty());
      new DiskModification(pools, machine)
          .modify(volume, Map.of("writeIops", "5"), new Secrets(Map.of()));
    }
    assertThat(held).isTrue();
  }

  @Test
  void aGroupThatCameWhileAVolumeWasOnItsWayIsLimitedAfterwards() throws Exception {
    assumeVersion1();
    var use = block(Mode.SINGLE_NODE_WRITER);
    var request = wanted("v", 16 * MIB, use).putMutableParams("writeBytesPerSecond", "2097152");
    var id = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var number = FileStatus.of(world.loops().getFirst()).special();
    try (var pool = Pool.open(world.pool)) {
      var hold = pool.holds().limits(id);
      var group = Files.createTempDirectory(BLKIO, "berth-test");
      try {
        hold.close();
        await().atMost(PATIENCE).until(() -> limit(group).contains(number + " 2097152"));
      } finally {
        Files.delete(group);
      }
    }
    unstage(driver, id, staging);
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

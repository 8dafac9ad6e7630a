package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.detach;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.published;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.csi.v1.VolumeUsage;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole way of a volume, on real loop devices and file systems, over the driver's socket.
class LifeOfAVolumeTest {
  @AutoClose private DiskWorld world;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void dataStaysWithTheVolumeFromPodToPod(String fsType) throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var staging = world.directory("staging");
    var id = createVolume(driver, "pvc-1", 320 * MIB, use).getVolumeId();
    for (var pod = 1; pod <= 2; pod++) {
      var target = world.directory("pods").resolve("pod-" + pod);
      for (var again = 0; again < 2; again++) { // every call can be made twice
        attach(driver, id, "n1", use);
        stage(driver, id, staging, use);
        publish(driver, id, staging, target, use);
      }
      var file = target.resolve("log");
      Files.writeString(
          file, "pod " + pod + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      assertThat(Files.readAllLines(file)).hasSize(pod);
      for (var again = 0; again < 2; again++) {
        unpublish(driver, id, target);
        unstage(driver, id, staging);
        detach(driver, id, "n1");
      }
      assertThat(target).doesNotExist();
      assertThat(world.mounts()).isEmpty();
      assertThat(world.loops()).isEmpty();
    }
    delete(driver, id);
    delete(driver, id);
    assertThat(world.volumeFiles()).isEmpty();
  }

  @Test
  void aBlockVolumeIsTheSameDeviceAgain() throws IOException {
    var driver = world.node("n1");
    var use = block(Mode.SINGLE_NODE_WRITER);
    var staging = world.directory("staging");
    var id = createVolume(driver, "pvc-1", 8 * MIB + 4096, use).getVolumeId();
    var target = world.directory("pods").resolve("device");
    for (var pod = 1; pod <= 2; pod++) {
      attach(driver, id, "n1", use);
      stage(driver, id, staging, use);
      stage(driver, id, staging, use);
      publish(driver, id, staging, target, use);
      publish(driver, id, staging, target, use);
      try (var device = new RandomAccessFile(target.toFile(), "rw")) {
        assertThat(device.getChannel().size()).isEqualTo(8 * MIB + 4096);
        if (pod == 2) assertThat(device.readInt()).isEqualTo(42);
        else device.writeInt(42);
      }
      unpublish(driver, id, target);
      assertThat(target).doesNotExist();
      unstage(driver, id, staging);
      detach(driver, id, "n1");
      assertThat(world.loops()).isEmpty();
    }
    delete(driver, id);
    assertThat(world.volumeFiles()).isEmpty();
  }

  /// The kernel keeps the mark with the device's number, whatever it shows next.
  @Test
  void aDeviceThatWasReadOnlyIsWritableForTheNext() throws IOException {
    var driver = world.node("n1");
    var use = block(Mode.SINGLE_NODE_WRITER);
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    var id = createVolume(driver, "pvc-1", MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    DiskWorld.node(driver)
        .nodePublishVolume(published(id, staging, target, use).setReadonly(true).build());
    var device = FileStatus.of(target).special();
    assertThat(isReadOnly(device)).isTrue();
    unpublish(driver, id, target);
    publish(driver, id, staging, target, use);
    assertThat(isReadOnly(device)).isFalse();
    unpublish(driver, id, target);
    DiskWorld.node(driver)
        .nodePublishVolume(published(id, staging, target, use).setReadonly(true).build());
    unpublish(driver, id, target);
    unstage(driver, id, staging);
    assertThat(isReadOnly(device)).isFalse();
  }

  /// The nodes of a machine show one device, which is read-only for all or for none (CAP-06).
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeviceIsWhatItIsForAllNodesOfTheMachine(boolean firstReadOnly) throws IOException {
    var one = world.node("n1");
    var two = world.node("n2");
    var use = block(Mode.MULTI_NODE_MULTI_WRITER);
    var id = createVolume(one, "pvc-1", MIB, use).getVolumeId();
    var here = world.directory("staging-1");
    var there = world.directory("staging-2");
    var first = world.directory("pods").resolve("first");
    var second = first.resolveSibling("second");
    attach(one, id, "n1", use);
    attach(one, id, "n2", use);
    stage(one, id, here, use);
    stage(two, id, there, use);
    var other = published(id, there, second, use).setReadonly(!firstReadOnly).build();
    DiskWorld.node(one)
        .nodePublishVolume(published(id, here, first, use).setReadonly(firstReadOnly).build());
    var device = FileStatus.of(first).special();

    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "of node n1",
        () -> DiskWorld.node(two).nodePublishVolume(other));

    assertThat(isReadOnly(device)).isEqualTo(firstReadOnly);
    assertThat(second).doesNotExist();
    unpublish(one, id, first);
    DiskWorld.node(two).nodePublishVolume(other);
    assertThat(isReadOnly(device)).isEqualTo(!firstReadOnly);
    unpublish(two, id, second);
    unstage(one, id, here);
    unstage(two, id, there);
  }

  private static boolean isReadOnly(DeviceNumber device) throws IOException {
    return Files.readString(Path.of("/sys/dev/block/" + device + "/ro")).strip().equals("1");
  }

  @Test
  void aVolumeIsOnOneNodeOnly() throws IOException {
    var one = world.node("n1");
    var two = world.node("n2");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(one, "pvc-1", 16 * MIB, use).getVolumeId();
    attach(one, id, "n1", use);
    assertRefused(
        Status.Code.FAILED_PRECONDITION, "is published on n1", () -> attach(one, id, "n2", use));
    var staging = world.directory("staging");
    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "is not published on node n2",
        () -> stage(two, id, staging, use));

    stage(one, id, staging, use);
    assertRefused(
        Status.Code.FAILED_PRECONDITION, "still staged on node n1", () -> detach(one, id, "n1"));
    assertRefused(Status.Code.FAILED_PRECONDITION, "published on n1", () -> delete(one, id));

    unstage(one, id, staging);
    detach(one, id, "n1");
    attach(one, id, "n2", use);
    stage(two, id, staging, use);
    unstage(two, id, staging);
    detach(one, id, "n2");
    delete(one, id);
  }

  @Test
  void aDiskWithForeignDataIsNotFormatted() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "pvc-1", 16 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    try (var image = new RandomAccessFile(world.image(id).toFile(), "rw")) {
      image.seek(5 * MIB);
      image.writeBytes("precious");
    }
    var staging = world.directory("staging");
    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "holds data, but no file system",
        () -> stage(driver, id, staging, use));
    assertThat(world.loops()).isEmpty();
    detach(driver, id, "n1");
  }

  @Test
  void aCrashWhileFormattingLeavesABlankDisk() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "pvc-1", 16 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    Files.writeString(world.image(id).resolveSibling(id + ".img.new"), "half a file system");
    var staging = world.directory("staging");
    stage(driver, id, staging, use);
    assertThat(staging.resolve("lost+found")).exists();
    assertThat(world.volumeFiles()).hasSize(1);
    unstage(driver, id, staging);
  }

  @Test
  void aReadOnlyTargetCannotBeWrittenAndAnotherPathOfOneWriterIsRefused() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_SINGLE_WRITER);
    var id = createVolume(driver, "pvc-1", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var target = world.directory("pods").resolve("a");
    var readOnly = published(id, staging, target, use).setReadonly(true).build();
    DiskWorld.node(driver).nodePublishVolume(readOnly);
    assertThat(Files.isWritable(target)).isFalse();
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        "unpublish it first",
        () -> publish(driver, id, staging, target, use));
    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "allows one path",
        () -> publish(driver, id, staging, target.resolveSibling("b"), use));
    assertRefused(
        Status.Code.FAILED_PRECONDITION, "still published", () -> unstage(driver, id, staging));
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  /// NOD-12.
  @Test
  void mountFlagsThatExcludeEachOtherAreRefused() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var both = use.toBuilder();
    both.getMountBuilder().addMountFlags("noexec").addMountFlags("exec");
    var id = createVolume(driver, "pvc-1", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("a");
    attach(driver, id, "n1", use);
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "exclude each other",
        () -> stage(driver, id, staging, both.build()));
    assertThat(world.mounts()).isEmpty();
    stage(driver, id, staging, use);
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "exclude each other",
        () -> publish(driver, id, staging, target, both.build()));
    assertThat(target).doesNotExist();
    unstage(driver, id, staging);
  }

  @Test
  void mountsOfOthersAndFilesWithContentAreLeftAlone() throws IOException { // NOD-16, NOD-18
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var a = createVolume(driver, "a", 16 * MIB, use).getVolumeId();
    var b = createVolume(driver, "b", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("a");
    attach(driver, a, "n1", use);
    stage(driver, a, staging, use);
    publish(driver, a, staging, target, use);

    unpublish(driver, b, target);
    unstage(driver, b, staging);
    unpublish(driver, "../../etc", target);
    assertThat(world.mounts()).containsExactlyInAnyOrder(staging, target);

    unpublish(driver, a, target);
    Files.createDirectories(target.resolve("kept"));
    assertRefused(
        Status.Code.FAILED_PRECONDITION, "is not empty", () -> unpublish(driver, a, target));
    assertThat(target.resolve("kept")).exists();
    unstage(driver, a, staging);
  }

  @Test
  void theSameNameIsTheSameVolumeOrAnError() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var first = createVolume(driver, "pvc-1", 16 * MIB, use);
    assertThat(createVolume(driver, "pvc-1", 16 * MIB, use)).isEqualTo(first);
    assertThat(first.getAccessibleTopologyList()).hasSize(1);
    assertRefused(
        Status.Code.ALREADY_EXISTS, "it has", () -> createVolume(driver, "pvc-1", 32 * MIB, use));
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        "other parameters",
        () ->
            DiskWorld.controller(driver)
                .createVolume(
                    wanted("pvc-1", 16 * MIB, use).putParameters("allocation", "thick").build()));

    delete(driver, first.getVolumeId());
    var second = createVolume(driver, "pvc-1", 16 * MIB, use);
    assertThat(second.getVolumeId())
        .as("an id is never used again")
        .isNotEqualTo(first.getVolumeId());
  }

  @Test
  void statsTellOfTheVolumeAndNotOfTheMachine() throws IOException {
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "pvc-1", 64 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var request = NodeGetVolumeStatsRequest.newBuilder().setVolumeId(id);
    var usage =
        DiskWorld.node(driver)
            .nodeGetVolumeStats(request.setVolumePath(staging.toString()).build())
            .getUsageList();
    assertThat(usage)
        .extracting(VolumeUsage::getUnit)
        .containsExactly(VolumeUsage.Unit.BYTES, VolumeUsage.Unit.INODES);
    assertThat(usage.getFirst().getTotal()).isBetween(40 * MIB, 64 * MIB);
    assertRefused(
        Status.Code.NOT_FOUND,
        "is not at",
        () -> DiskWorld.node(driver).nodeGetVolumeStats(request.setVolumePath("/").build()));
    unstage(driver, id, staging);
  }

  @Test
  void everyCallCanBeMadeAgainAfterARestart() throws IOException {
    var before = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(before, "pvc-1", 16 * MIB, use).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("a");
    attach(before, id, "n1", use);
    stage(before, id, staging, use);
    publish(before, id, staging, target, use);
    Files.writeString(target.resolve("file"), "kept");
    world.stopDrivers();
    Files.createFile(world.image(id).resolveSibling("vol-" + "a".repeat(24) + "-00000000.img"));

    var after = world.node("n1");
    attach(after, id, "n1", use);
    stage(after, id, staging, use);
    publish(after, id, staging, target, use);
    assertThat(target.resolve("file")).hasContent("kept");
    unpublish(after, id, target);
    unstage(after, id, staging);
    detach(after, id, "n1");
    assertThat(world.volumeFiles()).as("what is left of a cut-off call is removed").hasSize(1);
    delete(after, id);
    assertThat(world.volumeFiles()).isEmpty();
  }
}

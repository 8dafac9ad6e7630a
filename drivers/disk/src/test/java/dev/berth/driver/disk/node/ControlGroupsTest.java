package dev.berth.driver.disk.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.disk.node.ControlGroups.Version;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written for version 2, in files that only look like its own: a kernel whose blkio
/// controller is mounted as version 1 has none to try.
class ControlGroupsTest {
  private static final Limits LIMITS = new Limits(0, 200, 1_000_000, 0);

  private static final DeviceNumber DEVICE = new DeviceNumber(7, 3);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");

  @TempDir Path root;

  private Path group(String name) throws IOException {
    var group = Files.createDirectories(root.resolve(name));
    Files.createFile(group.resolve("io.max"));
    return group;
  }

  @Test
  void limitsAreSetAtTheTop() throws IOException {
    var pods = group("pods");
    group("pods/pod");
    Files.createDirectory(root.resolve("without"));
    var groups = new ControlGroups(root, Version.TWO);
    assertThat(groups.all()).containsExactly(pods);
    assertThat(groups.whyUseless()).isEmpty();
    groups.set(pods, DEVICE, LIMITS);
    assertThat(pods.resolve("io.max")).hasContent("7:3 rbps=1000000 wbps=max riops=max wiops=200");
  }

  @Test
  void moreOperationsThanTheFirstVersionCountsDoNotStopTheVolume() throws IOException {
    var names = List.of("read_bps", "write_bps", "read_iops", "write_iops");
    for (var name : names) Files.createFile(root.resolve("blkio.throttle." + name + "_device"));
    var most = 1L << 32;
    new ControlGroups(root, Version.ONE).set(root, DEVICE, new Limits(most, most + 7, most, most));
    assertThat(root.resolve("blkio.throttle.read_iops_device")).hasContent("7:3 4294967295");
    assertThat(root.resolve("blkio.throttle.write_iops_device")).hasContent("7:3 4294967295");
    assertThat(root.resolve("blkio.throttle.read_bps_device")).hasContent("7:3 4294967296");
  }

  /// As in a container that sees only its own part of the groups.
  @Test
  void aRootThatIsLimitedItselfCountsToo() throws IOException {
    group("pods");
    Files.createFile(root.resolve("io.max"));
    assertThat(new ControlGroups(root, Version.TWO).all())
        .containsExactly(root, root.resolve("pods"));
  }

  @Test
  void aControllerThatIsOffIsTold() {
    assertThat(new ControlGroups(root, Version.TWO).whyUseless())
        .hasValueSatisfying(why -> assertThat(why).contains("io.max", "its io controller is off"));
  }

  @Test
  void aGroupThatHasGoneNeedsNoLimit() {
    new ControlGroups(root, Version.TWO).set(root.resolve("gone"), DEVICE, LIMITS);
  }

  /// A volume without limits is none of their business, and one that leaves has to leave.
  @Test
  void aGroupThatCannotBeWrittenToHindersOnlyLimits() throws IOException {
    var groups = unwritableBelowWritable();
    groups.setAll(DEVICE, Limits.NONE);
    assertThatThrownBy(() -> groups.set(root.resolve("pods"), DEVICE, LIMITS))
        .isInstanceOf(Refusal.class)
        .hasMessage("cannot limit a volume by %s/pods/io.max: Is a directory", root);
  }

  @Test
  void whoIsRefusedLeavesItsLimitsAsTheyWere() throws IOException {
    var groups = unwritableBelowWritable();
    groups.set(root, DEVICE, LIMITS);
    var before = Files.readString(root.resolve("io.max"));
    assertThatThrownBy(() -> groups.setAll(DEVICE, new Limits(1, 1, 1, 1)))
        .isInstanceOf(Refusal.class);
    assertThat(root.resolve("io.max")).hasContent(before);
  }

  @Test
  void nothingIsWrittenThatStandsThereAlready() throws IOException {
    var pods = group("pods");
    var groups = new ControlGroups(root, Version.TWO);
    groups.set(pods, DEVICE, Limits.NONE);
    assertThat(pods.resolve("io.max")).isEmptyFile();
    Files.writeString(pods.resolve("io.max"), "7:30 rbps=1 wbps=1 riops=1 wiops=1\n");
    groups.set(pods, DEVICE, Limits.NONE);
    assertThat(pods.resolve("io.max")).content().startsWith("7:30 ");
    Files.writeString(pods.resolve("io.max"), "7:3 rbps=max wbps=7 riops=max wiops=max\n");
    groups.set(pods, DEVICE, Limits.NONE);
    assertThat(pods.resolve("io.max")).hasContent("7:3 rbps=max wbps=max riops=max wiops=max");
  }

  @Test
  void theNodeBeginsThoughAGroupCannotBeWrittenTo() throws IOException {
    var groups = unwritableBelowWritable();
    try (var later = new LaterGroups(groups, group -> set(groups, group))) {
      later.beginAnew();
      assertThat(root.resolve("io.max")).content().startsWith("7:3 ");
    }
  }

  @Test
  void whatCouldNotBeWatchedIsTriedAgain() throws IOException {
    var below = root.resolve("below");
    var groups = new ControlGroups(below, Version.TWO);
    try (var later = new LaterGroups(groups, group -> set(groups, group))) {
      later.begin();
      Files.createDirectory(below);
      later.begin();
      var pods = group("made");
      Files.move(pods, below.resolve("pods"));
      await()
          .atMost(PATIENCE)
          .until(() -> Files.readString(below.resolve("pods/io.max")).startsWith("7:3 "));
    }
  }

  /// Between opening its file and writing to it: the kernel calls that "no such device".
  @Test
  void aGroupOfTheKernelThatGoesMeanwhileNeedsNoLimit() throws Exception {
    assumeTrue(
        Files.isWritable(BLKIO.resolve("blkio.throttle.read_bps_device")),
        "needs the blkio control group of version 1: skipped");
    var groups = new ControlGroups(BLKIO, Version.ONE);
    var image = Files.write(root.resolve("image"), new byte[1 << 20]);
    try (var loop = new LoopDevices().attach(image, LoopOptions.UNTIL_UNUSED)) {
      var device = FileStatus.of(loop.device()).special();
      for (var i = 0; i < 2000; i++) {
        var group = Files.createTempDirectory(BLKIO, "berth-test");
        var going = Thread.ofPlatform().start(() -> delete(group));
        groups.set(group, device, LIMITS);
        going.join();
      }
    }
  }

  private static void delete(Path group) {
    try {
      Files.delete(group);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void set(ControlGroups groups, Path group) {
    groups.set(group, DEVICE, LIMITS);
  }

  private ControlGroups unwritableBelowWritable() throws IOException {
    Files.createFile(root.resolve("io.max"));
    Files.createDirectories(root.resolve("pods/io.max"));
    return new ControlGroups(root, Version.TWO);
  }
}

package dev.berth.linux.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.berth.linux.Workbench;
import dev.berth.linux.file.Usage;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools.Health;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileSystemToolsTest {
  private Workbench bench;
  private FileSystemTools tools;

  @BeforeEach
  void open() {
    bench = Workbench.open();
    tools = bench.fileSystems;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsMadeIsRecognisedAndClean(FileSystemType type) {
    bench.assumeCanMake(type);
    try (var loop = bench.attach(bench.image("image", 512), LoopOptions.UNTIL_UNUSED)) {
      assertThat(tools.contentOf(loop.device())).isEqualTo(new Content.Blank());
      tools.make(type, loop.device(), List.of("-L", "label"));
      assertThat(tools.contentOf(loop.device()))
          .isInstanceOfSatisfying(
              Content.FileSystem.class,
              found -> {
                assertThat(found.type()).isEqualTo(type.word());
                assertThat(found.label()).isEqualTo("label");
                assertThat(found.uuid()).isNotEmpty();
              });
      assertThat(tools.check(type, loop.device())).isEqualTo(Health.CLEAN);
    }
  }

  @Test
  void aDeviceThatHoldsDataIsNotFormatted() {
    try (var loop = bench.attach(bench.image("image", 64), LoopOptions.UNTIL_UNUSED)) {
      tools.make(FileSystemType.EXT4, loop.device(), List.of());
      assertThatThrownBy(() -> tools.make(FileSystemType.EXT4, loop.device(), List.of()))
          .isInstanceOf(LinuxException.class)
          .hasMessageContaining("holds data");
    }
  }

  @Test
  void ext4GrowsWhileUnmounted() throws IOException {
    var image = bench.image("image", 16);
    var target = bench.directory("target");
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      tools.make(FileSystemType.EXT4, loop.device(), List.of());
      grow(image, 64);
      bench.loops.takeOverSize(loop.device());
      tools.growUnmountedExt4(loop.device());
      bench.mounts.mount("ext4", loop.device().toString(), target, MountOptions.NONE);
    }
    assertThat(Usage.of(target).capacity()).isGreaterThan(40 << 20);
  }

  @ParameterizedTest
  @EnumSource(names = {"XFS", "BTRFS"})
  void othersGrowWhileMounted(FileSystemType type) throws IOException {
    var target = bench.mounted(type, "disk", 512);
    var image = target.resolveSibling("disk.img");
    long before = Usage.of(target).capacity();
    grow(image, 768);
    var device = bench.loops.of(image).getFirst().device();
    bench.loops.takeOverSize(device);
    tools.growMounted(type, device, target);
    assertThat(Usage.of(target).capacity()).isGreaterThan(before + (200 << 20));
  }

  @Test
  void damageIsToldWithTheProgramsWords() {
    try (var loop = bench.attach(bench.image("image", 16), LoopOptions.UNTIL_UNUSED)) {
      assertThatThrownBy(() -> tools.check(FileSystemType.EXT4, loop.device()))
          .asInstanceOf(throwable(LinuxException.class))
          .satisfies(
              refused -> assertThat(refused.failure()).isInstanceOf(Failure.ToolFailed.class))
          .hasMessageContaining("e2fsck")
          .hasMessageContaining("Bad magic number");
    }
  }

  @Test
  void whatIsOnADeviceThatIsNotThereIsNotKnown() {
    assertThatThrownBy(() -> tools.contentOf(Path.of("/dev/not-there")))
        .isInstanceOf(LinuxException.class);
  }

  @Test
  void aToolThatHangsIsKilled() {
    assertThatThrownBy(
            () -> Tools.ofThisMachine().run(List.of("sleep", "60"), Duration.ofMillis(50)))
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.TimedOut.class);
  }

  @Test
  void aToolThatIsNotInstalledIsNamed() {
    assertThatThrownBy(
            () -> Tools.ofThisMachine().run(List.of("mkfs.nonsense"), Duration.ofSeconds(1)))
        .hasMessageContaining("mkfs.nonsense is not installed");
  }

  private static void grow(Path image, long megabytes) throws IOException {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(megabytes << 20);
    }
  }
}

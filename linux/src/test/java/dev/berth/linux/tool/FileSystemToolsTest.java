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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileSystemToolsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int FIRST_FREE_INODE = 12;

  @AutoClose private Workbench bench;
  private FileSystemTools tools;

  @BeforeEach
  void open() {
    bench = Workbench.open();
    tools = bench.fileSystems;
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
      assertThat(tools.recover(type, loop.device())).isEqualTo(Health.CLEAN);
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
      assertThatThrownBy(() -> tools.recover(FileSystemType.EXT4, loop.device()))
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
  void aToolThatHangsIsKilled() { // SYS-31, CON-08
    assertThatThrownBy(
            () -> Tools.ofThisMachine().run(List.of("sleep", "60"), Duration.ofMillis(50)))
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.TimedOut.class);
  }

  /// Who stops reading ends the program by SIGPIPE, in the middle of its work.
  @Test
  void aToolThatSaysMuchComesToItsEnd() { // SYS-31, CON-08
    var result = Tools.ofThisMachine().run(List.of("seq", "300000"), LONG);
    assertThat(result.exitCode()).isZero();
    assertThat(result.output()).startsWith("1\n2\n").endsWith("299999\n300000\n");
    assertThat(result.output()).hasSizeLessThan(70_000).contains("bytes left out");
  }

  @Test
  void whatAPersonIsToldIsTheBeginningAndTheEnd() {
    var result = Tools.ofThisMachine().run(List.of("seq", "300000"), LONG);
    assertThat(result.words()).startsWith("1\n2\n").endsWith("299999\n300000");
    assertThat(result.words()).hasSizeLessThan(2_000);
  }

  /// As after a crash while many files were open that had been removed.
  @Test
  void aRepairThatSaysMuchIsDone() throws IOException {
    int files = 3000;
    var image = bench.image("image", 64);
    tools.make(FileSystemType.EXT4, image, List.of("-N", "4096"));
    var commands = new StringBuilder();
    for (int i = 0; i < files; i++) commands.append("write /dev/null f%d\n".formatted(i));
    for (int i = 0; i < files; i++) {
      int inode = FIRST_FREE_INODE + i;
      int next = i == files - 1 ? 0 : inode + 1;
      commands.append("unlink f%d\nsif <%d> links_count 0\n".formatted(i, inode));
      commands.append("sif <%d> dtime %d\n".formatted(inode, next));
    }
    commands.append("ssv last_orphan %d\n".formatted(FIRST_FREE_INODE));
    var script = bench.file("commands", commands.toString());
    var asked = List.of("debugfs", "-w", "-f", script.toString(), image.toString());
    assertThat(Tools.ofThisMachine().run(asked, LONG).exitCode()).isZero();
    assertThat(tools.recover(FileSystemType.EXT4, image)).isNotNull();
    var healthy = Tools.ofThisMachine().run(List.of("e2fsck", "-fn", image.toString()), LONG);
    assertThat(healthy.exitCode()).as(healthy.words()).isZero();
  }

  /// A mount recovers them, and a look at all of them takes as long as they are large.
  @ParameterizedTest
  @EnumSource(names = {"XFS", "BTRFS"})
  void whatRecoversByItselfIsNotLookedThrough(FileSystemType type) {
    var none = new FileSystemTools(new NoTools());
    assertThat(none.recover(type, Path.of("/dev/not-there"))).isEqualTo(Health.CLEAN);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrongIsSaidAndNothingChanged(FileSystemType type) throws IOException {
    bench.assumeCanMake(type);
    var image = bench.image("image", 320);
    tools.make(type, image, List.of());
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.seek(128 << 10);
      file.write(new byte[64 << 10]); // past the first superblock of each
      if (type == FileSystemType.XFS) { // headers of the first group
        file.seek(512);
        file.write(new byte[1024]);
      }
      if (type == FileSystemType.BTRFS) { // where its trees are
        for (long at = 1 << 20; at < 320L << 20; at += 16 << 10) {
          file.seek(at);
          int first = file.read();
          file.seek(at);
          if (first != 0) file.write(first ^ 0xff);
        }
      }
    }
    var before = Files.getLastModifiedTime(image);
    assertThat(tools.diagnose(type, image)).contains(" says: ");
    assertThat(Files.getLastModifiedTime(image)).isEqualTo(before);
  }

  /// One that does nothing but end so.
  private record Ending(int exitCode) implements Tools {
    @Override
    public Result run(List<String> command, Duration deadline) {
      return new Result(exitCode, "", "");
    }

    @Override
    public boolean has(String program) {
      return true;
    }
  }

  /// BM-196: e2fsck's exit code is a set of bits; the two lowest say that all is mended.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8, 16, 32, 33, 128, 137})
  void theExitCodeOfE2fsckIsASetOfBits(int code) {
    var answering = new FileSystemTools(new Ending(code));
    var device = Path.of("/dev/none");
    if (code > 3)
      assertThatThrownBy(() -> answering.recover(FileSystemType.EXT4, device))
          .isInstanceOf(LinuxException.class);
    else
      assertThat(answering.recover(FileSystemType.EXT4, device))
          .isEqualTo(code == 0 ? Health.CLEAN : Health.REPAIRED);
  }

  /// None is to be called.
  private record NoTools() implements Tools {
    @Override
    public Result run(List<String> command, Duration deadline) {
      throw new AssertionError("called: " + command);
    }

    @Override
    public boolean has(String program) {
      return false;
    }
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

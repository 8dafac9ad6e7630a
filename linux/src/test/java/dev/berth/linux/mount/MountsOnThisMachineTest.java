package dev.berth.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.linux.Workbench;
import dev.berth.linux.file.Usage;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MountsOnThisMachineTest {
  @AutoClose private Workbench bench;
  private Mounts mounts;

  @BeforeEach
  void open() {
    bench = Workbench.open();
    mounts = bench.mounts;
  }

  @ParameterizedTest
  @EnumSource
  void aFileSystemIsMountedUsedAndGoesWithItsLoopDevice(FileSystemType type)
      throws IOException { // SYS-13
    var target = bench.mounted(type, "a b\\c", type == FileSystemType.EXT4 ? 64 : 512);
    Files.writeString(target.resolve("file"), "x");

    var entry = mounts.table().at(target).orElseThrow();
    assertThat(entry.type()).isEqualTo(type.word());
    assertThat(mounts.state(target)).isEqualTo(State.MOUNTED);
    assertThat(Usage.of(target).capacity()).isBetween(50L << 20, 512L << 20);
    assertThat(Usage.of(target).used()).isPositive();

    mounts.unmount(target, Unmount.IF_UNUSED);

    assertThat(mounts.state(target)).isEqualTo(State.NOT_MOUNTED);
    assertThat(bench.loops.of(target.resolveSibling("a b\\c.img"))).isEmpty();
  }

  @Test
  void aReadOnlyBindIsReadOnlyAndItsSourceIsNot() throws IOException {
    var source = bench.directory("source");
    var target = bench.directory("target");

    mounts.bind(source, target, Depth.ONE, MountOptions.READ_ONLY.with(MountFlag.NOEXEC));

    Files.writeString(source.resolve("file"), "x");
    assertThat(target.resolve("file")).hasContent("x");
    assertThatThrownBy(() -> Files.writeString(target.resolve("other"), "x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Read-only");
    assertThat(mounts.table().at(target).orElseThrow().options()).contains("ro", "noexec");
    assertThat(mounts.state(target)).isEqualTo(State.MOUNTED); // NCLN-02: same device as its parent
  }

  /// SYS-16: as on kernels before 5.12.
  @Test
  void aBindInTwoStepsHasItsFlagsToo() {
    var source = bench.directory("source");
    var target = bench.directory("target");
    KernelMounts.bindInTwoSteps("bind", source, target, Depth.ONE, MountOptions.READ_ONLY);
    assertThat(mounts.at(target).orElseThrow().options()).contains("ro");
  }

  /// SYS-18: the kernel writes it as it is.
  @Test
  void aFolderWithACarriageReturnInItsNameHidesNoMount() {
    var odd = bench.directory("a\rb");
    var target = bench.directory("target");
    mounts.bind(odd, target, Depth.ONE, MountOptions.NONE);
    mounts.bind(odd, odd, Depth.ONE, MountOptions.NONE);
    assertThat(mounts.table().at(target).orElseThrow().root()).endsWith("/a\rb");
    assertThat(mounts.at(odd)).isPresent();
  }

  /// SYS-16: who tries all the time finds no moment at which he could write.
  @Test
  void aReadOnlyBindIsNeverWritable() throws Exception {
    var source = bench.directory("source");
    var target = bench.directory("target");
    var over = new AtomicBoolean();
    var attempts = new AtomicInteger();
    var writer =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                try {
                  Files.writeString(target.resolve("x"), "x");
                } catch (IOException refused) {
                  if (Files.exists(source.resolve("x"))) return;
                }
                attempts.incrementAndGet();
              }
            });
    for (int round = 0; round < 300; round++) {
      int before = attempts.get();
      mounts.bind(source, target, Depth.ONE, MountOptions.READ_ONLY);
      while (attempts.get() < before + 2) Thread.onSpinWait();
      while (mounts.state(target) == State.MOUNTED) unmountOnceUnused(target);
    }
    over.set(true);
    writer.join();
    assertThat(source.resolve("x")).doesNotExist();
  }

  private void unmountOnceUnused(Path target) {
    try {
      mounts.unmount(target, Unmount.IF_UNUSED);
    } catch (LinuxException busy) {
      Thread.onSpinWait(); // the writer is in it
    }
  }

  @Test
  void whatIsMountedSomewhereIsTheLastOfTheTable() {
    var target = bench.directory("target");
    assertThat(mounts.at(target)).isEmpty();
    assertThat(mounts.at(target.resolve("missing"))).isEmpty();
    for (var name : List.of("first", "second")) {
      mounts.mount("tmpfs", name, target, MountOptions.NONE);
      assertThat(mounts.at(target)).isEqualTo(mounts.table().at(target));
      assertThat(mounts.at(target).orElseThrow().source()).isEqualTo(name);
    }
    var inside = bench.directory("target/inside");
    assertThat(mounts.at(inside)).isEmpty();
    var file = bench.file("target/file", "");
    mounts.bind(bench.file("source", "content"), file, Depth.ONE, MountOptions.NONE);
    assertThat(mounts.at(file)).isEqualTo(mounts.table().at(file)).isPresent();
  }

  @Test
  void aFileIsBoundOnAFile() {
    var source = bench.file("source", "secret");
    var target = bench.file("target", "");
    mounts.bind(source, target, Depth.ONE, MountOptions.NONE);
    assertThat(target).hasContent("secret");
    assertThat(mounts.state(target)).isEqualTo(State.MOUNTED);
  }

  @Test
  void restrictingKeepsTheFlagsThatAreNotNamed() { // SYS-15
    var target = bench.directory("target");
    mounts.mount("tmpfs", "tmpfs", target, MountOptions.of(MountFlag.NOSUID, MountFlag.NOATIME));

    mounts.restrict(target, Depth.ONE, MountOptions.READ_ONLY);

    assertThat(mounts.table().at(target).orElseThrow().options())
        .contains("ro", "nosuid", "noatime");
  }

  @Test
  void theFileSystemItselfIsMadeReadOnlyAndWritableAgain() throws IOException {
    var target = bench.mounted(FileSystemType.EXT4, "ext4", 16);
    mounts.remountFileSystem(target, MountOptions.READ_ONLY);
    assertThat(mounts.table().at(target).orElseThrow().superOptions()).contains("ro");
    mounts.remountFileSystem(target, MountOptions.NONE);
    Files.writeString(target.resolve("file"), "x");
  }

  @Test
  void aTreeIsBoundWithWhatIsMountedBelow() {
    var source = bench.directory("source");
    var below = bench.directory("source/below");
    var whole = bench.directory("whole");
    var one = bench.directory("one");
    mounts.mount("tmpfs", "tmpfs", below, MountOptions.NONE);

    mounts.bind(source, whole, Depth.TREE, MountOptions.NONE);
    mounts.bind(source, one, Depth.ONE, MountOptions.NONE);

    assertThat(mounts.state(whole.resolve("below"))).isEqualTo(State.MOUNTED);
    assertThat(mounts.state(one.resolve("below"))).isEqualTo(State.NOT_MOUNTED);
    assertThat(mounts.table().references(below)).hasSize(1);
  }

  @Test
  void whatIsSharedSpreadsAndWhatIsSlaveOnlyReceives() {
    var shared = bench.directory("shared");
    var slave = bench.directory("slave");
    mounts.mount("tmpfs", "tmpfs", shared, MountOptions.NONE);
    mounts.propagate(shared, Depth.TREE, Propagation.SHARED);
    mounts.bind(shared, slave, Depth.TREE, MountOptions.NONE);
    mounts.propagate(slave, Depth.TREE, Propagation.SLAVE);

    var fromShared = bench.directory("shared/from-shared");
    mounts.mount("tmpfs", "tmpfs", fromShared, MountOptions.NONE);
    var fromSlave = bench.directory("slave/from-slave");
    mounts.mount("tmpfs", "tmpfs", fromSlave, MountOptions.NONE);

    assertThat(mounts.state(slave.resolve("from-shared"))).isEqualTo(State.MOUNTED);
    assertThat(mounts.state(shared.resolve("from-slave"))).isEqualTo(State.NOT_MOUNTED);
  }

  @Test
  void anOverlayTakesChangesAndLeavesWhatIsBelow() throws IOException {
    var lower = bench.directory("lo,w:er");
    Files.writeString(lower.resolve("file"), "below");
    var target = bench.directory("merged");
    bench.mounted(FileSystemType.EXT4, "disk", 16);
    var layers = Overlay.over(lower, bench.directory("disk/upp,er"), bench.directory("disk/wor:k"));

    mounts.overlay(layers, target);
    Files.writeString(target.resolve("file"), "above");

    assertThat(lower.resolve("file")).hasContent("below");
    assertThat(target.resolve("file")).hasContent("above");
  }

  @Test
  void aMountInUseIsBusyUntilItIsNotUsed() throws IOException {
    var target = bench.directory("target");
    mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE);
    try (var _ = Files.newOutputStream(target.resolve("file"))) {
      assertFailure(() -> mounts.unmount(target, Unmount.IF_UNUSED), Failure.Busy.class);
    }
    mounts.unmount(target, Unmount.IF_UNUSED);
  }

  @Test
  void everyFailureHasItsCase() {
    var directory = bench.directory("directory");
    var missing = Path.of("/nowhere/at/all");
    assertFailure(() -> mounts.unmount(directory, Unmount.IF_UNUSED), Failure.Invalid.class);
    assertFailure(() -> mounts.unmount(missing, Unmount.IF_UNUSED), Failure.Missing.class);
    assertFailure(
        () -> mounts.mount("nonsense", "none", directory, MountOptions.NONE),
        Failure.Unsupported.class);
    assertFailure(
        () -> mounts.bind(missing, directory, Depth.ONE, MountOptions.NONE), Failure.Missing.class);
    assertThat(mounts.state(missing)).isEqualTo(State.MISSING);
    assertThat(mounts.state(directory)).isEqualTo(State.NOT_MOUNTED);
  }

  @Test
  void aWrongOptionIsToldInTheKernelsWords() { // SYS-17
    var image = bench.image("image", 16);
    var target = bench.directory("target");
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      bench.fileSystems.make(FileSystemType.EXT4, loop.device(), List.of());
      assertThatThrownBy(() ->
              mounts.mount(
                  "ext4",
                  loop.device().toString(),
                  target,
                  MountOptions.parse(List.of("errors=never"))))
          .hasMessageContaining("errors");
    }
  }

  @Test
  void callsFromVirtualThreadsAnswerToo() throws InterruptedException {
    var target = bench.directory("target");
    var thread =
        Thread.ofVirtual().start(() -> mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE));
    thread.join();
    assertThat(mounts.state(target)).isEqualTo(State.MOUNTED);
  }

  private static void assertFailure(ThrowingCallable call, Class<? extends Failure> expected) {
    assertThatThrownBy(call)
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .asInstanceOf(type(expected))
        .isNotNull();
  }
}

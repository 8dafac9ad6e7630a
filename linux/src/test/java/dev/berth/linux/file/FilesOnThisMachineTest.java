package dev.berth.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.berth.linux.Workbench;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilesOnThisMachineTest {
  @AutoClose private Workbench bench;

  @BeforeEach
  void open() {
    bench = Workbench.open();
  }

  @Test
  void blocksAreReservedAndGivenBack() { // SYS-21
    var file = bench.image("file", 8);
    assertThat(FileStatus.of(file).allocated()).isZero();
    Space.reserve(file, 8 << 20);
    assertThat(FileStatus.of(file).allocated()).isGreaterThanOrEqualTo(8 << 20);
    Space.punchHole(file, 0, 8 << 20);
    assertThat(FileStatus.of(file).allocated()).isLessThan(1 << 20);
    assertThat(FileStatus.of(file).size()).isEqualTo(8 << 20);
  }

  @Test
  void spaceThatIsNotThereIsFull() {
    var mount = bench.mounted(FileSystemType.EXT4, "ext4", 16);
    var file = bench.file("ext4/file", "");
    assertThatThrownBy(() -> Space.reserve(file, 1 << 30))
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.Full.class);
    assertThat(Usage.of(mount).inodes()).isPositive();
  }

  @Test
  void aFileIsItselfUnderAnotherName() throws IOException {
    var file = bench.file("file", "x");
    var before = FileStatus.of(file);
    var link = Files.createSymbolicLink(file.resolveSibling("link"), file);
    var renamed = Files.move(file, file.resolveSibling("renamed"));
    assertThat(FileStatus.of(renamed).isSameFileAs(before)).isTrue();
    assertThat(FileStatus.of(link).isLink()).isTrue();
    assertThat(FileStatus.of(Path.of("/dev/null")).special()).hasToString("1:3");
  }

  @Test
  void nothingIsRenamedOntoSomething() throws IOException {
    var file = bench.file("file", "x");
    var other = bench.file("other", "y");
    assertThat(Durable.renameToNew(file, other)).isFalse();
    Files.delete(other);
    assertThat(Durable.renameToNew(file, other)).isTrue();
    Durable.sync(other);
    Durable.sync(bench.directory("."));
    assertThat(other).hasContent("x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "/etc", "link", "link/passwd", "a/../../outside"})
  void noPathLeadsOut(String path) throws IOException {
    var root = bench.directory("root");
    bench.directory("root/a");
    Files.createSymbolicLink(root.resolve("link"), Path.of("/etc"));
    assertThatThrownBy(() -> Beneath.find(root, path))
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.Escapes.class);
  }

  @Test
  void whatIsBeneathIsFound() throws IOException {
    var root = bench.directory("root");
    bench.directory("root/a/b");
    bench.file("root/a/b/file", "x");
    try (var found = Beneath.read(root, "a/b/file")) {
      assertThat(Files.readString(found.asPath())).isEqualTo("x");
    }
  }

  @Test
  void writersWaitWhileItIsFrozen() throws Exception {
    var mount = bench.mounted(FileSystemType.EXT4, "ext4", 16);
    var written = new CountDownLatch(1);
    Thread writer;
    try (var _ = Freeze.of(mount)) {
      writer =
          Thread.ofPlatform()
              .start(() -> {
                bench.file("ext4/file", "x");
                written.countDown();
              });
      assertThat(written.await(100, TimeUnit.MILLISECONDS)).isFalse();
    }
    assertThat(written.await(5, TimeUnit.SECONDS)).isTrue();
    writer.join();
  }
}

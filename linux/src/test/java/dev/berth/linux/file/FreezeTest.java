package dev.berth.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.Workbench;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FreezeTest {
  @AutoClose private Workbench bench;

  @BeforeEach
  void open() {
    bench = Workbench.open();
  }

  @Test
  void aFrozenFileSystemIsBusyUntilItIsThawed() {
    var folder = bench.mounted(FileSystemType.EXT4, "disk", 16);
    try (var _ = Freeze.of(folder)) {
      assertThatThrownBy(() -> Freeze.of(folder))
          .asInstanceOf(throwable(LinuxException.class))
          .extracting(LinuxException::failure)
          .isInstanceOf(Failure.Busy.class);
    }
    Freeze.of(folder).close();
  }

  /// The disk of the inner file system is a file on the outer one: while that is frozen, the inner
  /// one cannot write out what it has to before it is frozen itself.
  @Test
  void aFreezeThatComesTooLateIsThawedAndLetsGo() throws IOException {
    var outer = bench.mounted(FileSystemType.EXT4, "outer", 64);
    var inner = inside("outer/inner.img");
    Files.write(inner.resolve("file"), new byte[1 << 20]);
    int before = Blocking.stuckThreads();
    try (var _ = Freeze.of(outer)) {
      assertThatThrownBy(() -> Freeze.of(inner, Duration.ofMillis(300)))
          .asInstanceOf(throwable(LinuxException.class))
          .extracting(LinuxException::failure)
          .isInstanceOf(Failure.TimedOut.class);
      assertThat(Blocking.stuckThreads()).isEqualTo(before + 1);
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> Blocking.stuckThreads() == before);
    Freeze.of(inner).close(); // it was not frozen any more
    bench.mounts.unmount(inner, Unmount.IF_UNUSED); // nor is it held
  }

  /// Who syncs a frozen file system waits for the thaw: that must not wait for the sync.
  @Test
  void aFreezeAndItsThawWaitForNoOtherCall() {
    var folder = bench.mounted(FileSystemType.EXT4, "disk", 16);
    besideCallsThatStay(() -> {
      var freeze = Freeze.of(folder, Duration.ofSeconds(10));
      freeze.close(Duration.ofSeconds(10));
      Freeze.of(folder, Duration.ofSeconds(10));
      Freeze.thaw(folder, Duration.ofSeconds(10));
    });
  }

  /// Else the copy of a frozen volume waits for those who wait for its end.
  @Test
  void aCopyWaitsForNoOtherCall() throws IOException {
    var folder = bench.mounted(FileSystemType.XFS, "disk", 320);
    var source = Files.writeString(folder.resolve("source"), "content");
    var target = Files.createFile(folder.resolve("target"));
    besideCallsThatStay(() -> {
      var copy = new FutureTask<>(() -> Reflink.tryClone(source, target) && Extents.any(target));
      Thread.ofVirtual().start(copy);
      assertThat(copy).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    });
  }

  private static void besideCallsThatStay(Runnable work) {
    var begun = new CountDownLatch(16);
    var over = new CountDownLatch(1);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < 16; i++)
          callers.execute(
              () -> Blocking.run("sync", Duration.ofMinutes(1), () -> stay(begun, over)));
        awaitUninterruptibly(begun);
        work.run();
      } finally {
        over.countDown();
      }
    }
  }

  private static void stay(CountDownLatch begun, CountDownLatch over) {
    begun.countDown();
    awaitUninterruptibly(over);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Path inside(String image) {
    var disk = bench.image(image, 16);
    try (var loop = bench.attach(disk, LoopOptions.UNTIL_UNUSED)) {
      bench.fileSystems.make(FileSystemType.EXT4, loop.device(), List.of());
      var folder = bench.directory("inner");
      bench.mounts.mount("ext4", loop.device().toString(), folder, MountOptions.NONE);
      return folder;
    }
  }
}

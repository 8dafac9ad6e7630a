package dev.berth.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.Workbench;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whoever is told that a mount has failed finds none afterwards: the deadlines here are about as
/// long as a mount takes, so that some come just in time and some just too late.
class LateMountTest {
  @AutoClose private Workbench bench;

  @BeforeEach
  void open() {
    bench = Workbench.open();
  }

  @Test
  void aMountThatComesTooLateIsTakenAway() {
    assertNoneIsLeft((mounts, target) -> mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE));
  }

  @Test
  void aBindThatComesTooLateIsTakenAway() {
    var source = bench.directory("source");
    assertNoneIsLeft(
        (mounts, target) -> mounts.bind(source, target, Depth.ONE, MountOptions.READ_ONLY));
  }

  private void assertNoneIsLeft(BiConsumer<Mounts, Path> mount) {
    var target = bench.directory("target");
    var before = Blocking.stuckThreads();
    for (var i = 0; i < 400; i++) {
      try {
        mount.accept(new KernelMounts(Duration.ofNanos(20_000 + i * 1_500)), target);
        bench.mounts.unmount(target, Unmount.IF_UNUSED);
      } catch (LinuxException _) {
        await().until(() -> Blocking.stuckThreads() == before);
      }
      assertThat(bench.mounts.state(target)).isEqualTo(State.NOT_MOUNTED);
    }
  }
}

package dev.berth.linux.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.Workbench;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.mount.Propagation;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamespaceThreadTest {
  @AutoClose private Workbench bench;

  @BeforeEach
  void open() {
    bench = Workbench.open();
  }

  @Test
  void whatItMountsNobodyElseSees() throws IOException { // SYS-19
    var target = bench.directory("target");
    try (var thread = NamespaceThread.withOwnMounts("test")) {
      thread.run(() -> {
        bench.mounts.propagate(Path.of("/"), Depth.TREE, Propagation.SLAVE);
        bench.mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE);
      });
      assertThat(thread.call(() -> bench.mounts.state(target))).isEqualTo(State.MOUNTED);
      assertThat(bench.mounts.state(target)).isEqualTo(State.NOT_MOUNTED);

      thread.run(() -> write(target.resolve("file")));
      assertThat(target.resolve("file")).doesNotExist();
      try (var inside = NamespaceThread.inside(thread.mountNamespace())) {
        assertThat(inside.call(() -> Files.exists(target.resolve("file")))).isTrue();
      }
    }
  }

  @Test
  void itHasAHostNameOfItsOwn() throws IOException {
    var before = Files.readString(Path.of("/proc/sys/kernel/hostname"));
    try (var thread = NamespaceThread.withOwnMounts("test")) {
      thread.setHostName("web-0");
    }
    assertThat(Path.of("/proc/sys/kernel/hostname")).hasContent(before);
  }

  @Test
  void afterAPivotOnlyTheNewRootIsThere() {
    var root = bench.directory("root");
    try (var thread = NamespaceThread.withOwnMounts("test")) {
      thread.run(() -> {
        bench.mounts.propagate(Path.of("/"), Depth.TREE, Propagation.SLAVE);
        bench.mounts.mount("tmpfs", "tmpfs", root, MountOptions.NONE);
        write(root.resolve("file"));
      });
      thread.pivotInto(root);
      assertThat(thread.call(() -> Files.exists(Path.of("/file")))).isTrue();
      assertThat(thread.call(() -> Files.exists(Path.of("/usr")))).isFalse();
    }
  }

  @Test
  void aFailureOnTheThreadReachesTheCaller() {
    try (var thread = NamespaceThread.withOwnMounts("test")) {
      assertThatThrownBy(() -> thread.pivotInto(Path.of("/nowhere")))
          .isInstanceOf(LinuxException.class)
          .hasMessageContaining("/nowhere");
    }
  }

  private static void write(Path file) {
    try {
      Files.writeString(file, "x");
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }
}

package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A home from which no program can be run, as `/tmp` and `/var` are mounted on hardened machines.
class NoexecHomeTest {
  @TempDir private Path folder;

  private static final String MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}";

  @ParameterizedTest
  @ValueSource(strings = {"up --port 0", "run FILE"})
  void isRefusedBeforeAnythingIsMade(String line) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices here");
    var file = Files.writeString(folder.resolve("map.yaml"), MAP);
    var mounts = Mounts.ofThisMachine();
    var shell = new Shell(Files.createDirectory(folder.resolve("noexec")));
    var disk = Files.createDirectory(shell.home());
    mounts.mount("tmpfs", "tmpfs", disk, MountOptions.of(MountFlag.NOEXEC).with("size=64m"));
    try {
      var refused = shell.berth(line.replace("FILE", file.toString()).split(" "));
      assertThat(refused.text())
          .isEqualToIgnoringNewLines(
              ("berth: %1$s is on a file system mounted noexec (%1$s), from which no container can"
                      + " be started; choose another --home, or mount -o remount,exec %1$s")
                  .formatted(disk.toRealPath()));
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(disk).isEmptyDirectory();
    } finally {
      mounts.unmount(disk, Unmount.IF_UNUSED);
    }
  }
}

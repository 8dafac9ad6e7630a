package dev.berth.driver.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the command says where it cannot work.
class DiskServiceTest {
  @TempDir Path folder;

  private List<String> arguments(Path socket) {
    return List.of(
        "--endpoint", "unix://" + socket, "--node", "n", "--pool", folder.resolve("p").toString());
  }

  @Test
  void aSocketBelowFoldersThatAreNotThereIsAnError() {
    var told = new ByteArrayOutputStream();
    var err = new PrintStream(told, true, StandardCharsets.UTF_8);
    var code = DiskService.run(arguments(folder.resolve("misspelt/csi/csi.sock")), System.out, err);
    assertThat(code).isEqualTo(1);
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("there is no folder " + folder);
    assertThat(folder.resolve("misspelt")).doesNotExist();
  }

  @Test
  void whoMayNotMountIsToldSo() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv here");
    assumeTrue("root".equals(System.getProperty("user.name")), "only root gives a right away");
    var command =
        new ArrayList<>(
            List.of(
                "/usr/bin/setpriv",
                "--bounding-set",
                "-sys_admin",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DiskService.class.getName()));
    command.addAll(arguments(folder.resolve("csi.sock")));
    var log = folder.resolve("log");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(log).content().contains("needs root (CAP_SYS_ADMIN)");
  }
}

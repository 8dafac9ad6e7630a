package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher's own part, with a Maven that only says how it was called.
class LauncherTest {
  @TempDir private Path folder;

  @Test
  void noColoursReachAPipe() throws Exception {
    assertThat(maven("format")).startsWith("-B ").contains("-Dstyle.color=never");
  }

  private String maven(String command) throws IOException, InterruptedException {
    var program =
        Files.createFile(
            folder.resolve("mvn"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(program, "#!/bin/sh\necho \"$@\"\n");
    var launcher =
        new ProcessBuilder(SourceTree.root().resolve("berth").toString(), command)
            .redirectErrorStream(true);
    launcher.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    launcher.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process = launcher.start();
    var told = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(told).isZero();
    return told;
  }
}

package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The launcher's own part, with a Maven that only says how it was called.
class LauncherTest {
  @TempDir private Path folder;

  @Test
  void noColoursReachAPipe() throws Exception {
    assertThat(maven("format")).startsWith("-B ").contains("-Dstyle.color=never");
  }

  /// A container of a whole stack would take its pods with it.
  @ParameterizedTest
  @CsvSource({
    "sidecars, true",
    "sidecar, true",
    "node-sidecars, true",
    "snapshot-controller, true",
    "controllers, true",
    "node, true",
    "driver, true",
    "up, false",
    "run, false",
    "apiserver, false",
    "explain, false"
  })
  void onlyWhatIsStartedAgainEndsWhenItsMemoryIsFull(String command, boolean ends)
      throws Exception {
    var option = "-XX:+ExitOnOutOfMemoryError";
    var entry = SourceTree.root().resolve("deploy/image/entrypoint");
    var there =
        Files.writeString(
            folder.resolve("entrypoint"),
            Files.readString(entry).replace("/opt/java/bin/java", "echo"));
    var process =
        new ProcessBuilder("sh", there.toString(), command, "--help")
            .redirectErrorStream(true)
            .start();
    var told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
    assertThat(told.contains(option)).as(told).isEqualTo(ends);
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
    var told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
    return told;
  }
}

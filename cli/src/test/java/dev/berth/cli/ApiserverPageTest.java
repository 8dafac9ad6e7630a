package dev.berth.cli;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/apiserver.md, command by command, with folders of its own; and what goes
/// wrong on it (API-145).
class ApiserverPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private @Nullable Process server;

  @BeforeEach
  void writeLauncher() throws IOException {
    var launcher =
        Files.createFile(folder.resolve("berth"), asFileAttribute(fromString("rwx------")));
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        exec %s -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
          -cp '%s' dev.berth.cli.Main "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (server != null) server.destroyForcibly().waitFor();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    for (var shown : Document.read(ROOT.resolve("docs/apiserver.md")).commands()) {
      var printed = shown.command().contains("berth apiserver") ? start(shown) : run(shown).text();
      assertThat(mine(shown).missingIn(printed))
          .as(shown.command() + " printed: " + printed)
          .isEmpty();
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("monday.gz"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aStoreIsNeverLostByMistake() throws Exception {
    start("./berth apiserver --home /tmp/folder/api --port 0", "berth apiserver is up");
    refused(
        "./berth restore --home /tmp/folder/other /tmp/folder/none.gz",
        2,
        "FILE /tmp/folder/none.gz: there is no such file");
    run("./berth backup --home /tmp/folder/api /tmp/folder/a.gz").succeeded();
    refused(
        "./berth backup --home /tmp/folder/api /tmp/folder/a.gz", 1, "is there already; choose");
    run("./berth backup --replace --home /tmp/folder/api /tmp/folder/a.gz").succeeded();
    refused(
        "./berth restore --replace --home /tmp/folder/api /tmp/folder/a.gz", 1, "already up in");
    run("./berth down --home /tmp/folder/api").succeeded();
    refused(
        "./berth restore --home /tmp/folder/api /tmp/folder/a.gz",
        1,
        "has a store already; choose");
    run("./berth backup --home /tmp/folder/api /tmp/folder/down.gz").succeeded();
    refused("./berth backup --home /tmp/folder/nobody /tmp/folder/b.gz", 1, "there is no store in");
    Files.writeString(folder.resolve("b.gz"), "words");
    refused(
        "./berth restore --home /tmp/folder/other /tmp/folder/b.gz", 1, "is no backup of Berth's");
    assertThat(folder.resolve("other")).doesNotExist();
    assertThat(folder.resolve("nobody")).doesNotExist();
  }

  @Test
  void whoCannotBeServedIsTold() throws Exception {
    refused(
        "./berth apiserver --home /tmp/folder/api --bind here",
        2,
        "--bind here: write a numeric address, such as 127.0.0.1 or 0.0.0.0");
    refused("./berth apiserver --home /tmp/folder/api --port 65536", 2, "choose a number from 0");
    refused("./berth apiserver --home /tmp/folder/berth", 1, "berth is no folder; choose another");
    assertThat(folder.resolve("api")).doesNotExist();
    assertThat(run("./berth apiserver --help").text())
        .contains("--bind=ADDRESS", "Exit codes:", "Examples:");
  }

  private String start(Shown shown) throws IOException {
    return start(shown.command(), shown.output().getLast().replace("/tmp/folder", "" + folder));
  }

  /// @param last what it says when it is up
  private String start(String command, String last) throws IOException {
    var said = folder.resolve("server.txt");
    var started = begin("exec " + command, said);
    server = started;
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(said).contains(last) || !started.isAlive());
    return Files.readString(said);
  }

  private record Result(int exitCode, String text) {
    Result succeeded() {
      assertThat(exitCode).as(text).isZero();
      return this;
    }
  }

  private void refused(String command, int exitCode, String words) throws Exception {
    var result = run(command);
    assertThat(result.text()).contains(words.replace("/tmp/folder", "" + folder));
    assertThat(result.exitCode()).isEqualTo(exitCode);
  }

  private Result run(Shown shown) throws Exception {
    return run(shown.command()).succeeded();
  }

  private Result run(String command) throws Exception {
    var said = Files.createTempFile(folder, "said", ".txt");
    var process = begin(command, said);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(command).isTrue();
    return new Result(process.exitValue(), Files.readString(said));
  }

  private Process begin(String command, Path said) throws IOException {
    return new ProcessBuilder("sh", "-c", mine(command))
        .directory(ROOT.toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }

  private Shown mine(Shown shown) {
    return new Shown(shown.command(), shown.output().stream().map(this::mine).toList());
  }

  private String mine(String text) {
    return text.replace("./berth", folder + "/berth").replace("/tmp/folder", "" + folder);
  }
}

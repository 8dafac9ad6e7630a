package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/apiserver.md, command by command, with folders of its own; and what goes
/// wrong on it (API-145).
class ApiserverPageTest {
  private final Path folder;
  private final PageShell page;

  ApiserverPageTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    for (var shown : Document.read(ROOT.resolve("docs/apiserver.md")).commands()) {
      if (shown.command().contains("berth apiserver")) page.serve(shown);
      else page.shows(shown);
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("monday.gz"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aStoreIsNeverLostByMistake() throws Exception {
    page.serve(
        "./berth apiserver --home /tmp/folder/api --port 0",
        said -> said.contains("berth apiserver is up"));
    refused(
        "./berth restore --home /tmp/folder/other /tmp/folder/none.gz",
        2,
        "FILE /tmp/folder/none.gz: there is no such file");
    page.run("./berth backup --home /tmp/folder/api /tmp/folder/a.gz").succeeded();
    refused(
        "./berth backup --home /tmp/folder/api /tmp/folder/a.gz", 1, "is there already; choose");
    page.run("./berth backup --replace --home /tmp/folder/api /tmp/folder/a.gz").succeeded();
    refused(
        "./berth restore --replace --home /tmp/folder/api /tmp/folder/a.gz", 1, "already up in");
    page.run("./berth down --home /tmp/folder/api").succeeded();
    refused(
        "./berth restore --home /tmp/folder/api /tmp/folder/a.gz",
        1,
        "has a store already; choose");
    page.run("./berth backup --home /tmp/folder/api /tmp/folder/down.gz").succeeded();
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
    assertThat(page.run("./berth apiserver --help").text())
        .contains("--bind=ADDRESS", "Exit codes:", "Examples:");
  }

  private void refused(String command, int exitCode, String words) throws Exception {
    var ended = page.run(command);
    assertThat(ended.text()).contains(page.here(words));
    assertThat(ended.exitCode()).isEqualTo(exitCode);
  }
}

package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/rights.md, command by command, with a folder of its own (API-11).
class RightsPageTest {
  private final PageShell page;

  RightsPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    for (var shown : Document.read(ROOT.resolve("docs/rights.md")).commands()) {
      if (shown.command().contains("berth apiserver")) page.serve(shown);
      else page.shows(shown);
    }
  }

  @Test
  void otherModesAreNotUnderstood() throws Exception {
    var ended = page.run("./berth apiserver --home /tmp/folder/b --authorization-mode ABAC");
    assertThat(ended.text()).contains("choose RBAC or AlwaysAllow, not ABAC");
    assertThat(ended.exitCode()).isEqualTo(2);
  }
}

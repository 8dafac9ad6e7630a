package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/pods.md, command by command, with a folder of its own.
class PodsPageTest {
  private final PageShell page;

  PodsPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    for (var shown : Document.read(ROOT.resolve("docs/pods.md")).commands()) {
      if (shown.command().contains("berth up")) page.serve(shown);
      else page.shows(shown);
    }
  }
}

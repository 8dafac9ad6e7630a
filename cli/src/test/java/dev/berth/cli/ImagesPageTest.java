package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/images.md, command by command, with a folder of its own.
class ImagesPageTest {
  private final PageShell page;

  ImagesPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    assumeTrue(page.run("! ldd /bin/busybox 2>/dev/null").exitCode() == 0, "no static busybox");
    for (var shown : Document.read(ROOT.resolve("docs/images.md")).commands()) {
      if (shown.command().contains("berth up")) page.serve(shown);
      // Its container is seen to have ended a moment after its object has gone.
      else if (shown.command().contains("image remove") && shown.output().size() == 1)
        page.showsAtLast(shown);
      else page.shows(shown);
    }
  }
}

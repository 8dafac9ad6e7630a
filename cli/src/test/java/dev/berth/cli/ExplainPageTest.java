package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/explain.md, command by command: a cluster that is named by a kubeconfig,
/// and somebody who may not read all of it (XPL-11, U01).
class ExplainPageTest {
  private final PageShell page;

  ExplainPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    for (var shown : Document.read(ROOT.resolve("docs/explain.md")).commands()) {
      if (shown.command().contains("berth apiserver")) page.serve(shown);
      else page.shows(shown);
    }
    var absent = page.run("./berth explain pod/none -n shop --kubeconfig /tmp/folder/jane");
    assertThat(absent.exitCode()).as(absent.text()).isEqualTo(2);
    var hidden = page.run("./berth explain pv/none --kubeconfig /tmp/folder/jane");
    assertThat(hidden.exitCode()).as(hidden.text()).isEqualTo(3);
    assertThat(hidden.text()).contains("--resource=persistentvolumes;");
    var both = page.run("./berth explain pv/a --home /tmp/folder --kubeconfig /tmp/folder/jane");
    assertThat(both.text()).contains("give --kubeconfig or --home, not both");
  }
}

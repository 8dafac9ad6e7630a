package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Goes the way of docs/workloads.md: sets of pods, on a real stack with real volumes, as kubectl
/// rolls and scales them.
class WorkloadsPageTest {
  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    opened = Shell.open("sets");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened == null) return;
    opened.berth("delete", "statefulset", "web");
    opened.berth("delete", "deployment", "sleepers");
    opened.end();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    var page = new PageShell(Objects.requireNonNull(opened).folder());
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    for (var shown : Document.read(ROOT.resolve("docs/workloads.md")).commands()) {
      // A pod that was deleted is not there again at once.
      if (shown.command().matches(".*( logs | wait ).*")) page.showsAtLast(shown);
      else page.shows(shown);
    }
  }
}

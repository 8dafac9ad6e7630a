package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/controllers.md, each of its programs a process (RUN-01, RUN-02).
class ControllersPageTest {
  private static final Pattern SERVES = Pattern.compile("berth (apiserver|controllers) ");

  private final PageShell page;

  ControllersPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    var serving = new ArrayList<Process>();
    for (var shown : Document.read(ROOT.resolve("docs/controllers.md")).commands()) {
      if (SERVES.matcher(shown.command()).find()) serving.add(page.serve(shown));
      else page.showsAtLast(shown);
    }
    assertThat(PageShell.end(serving.getLast())).isTrue();
    page.showsAtLast(
        new Shown(
            "./berth get lease kube-controller-manager -n kube-system --home /tmp/folder/api -o"
                + " json",
            List.of("\"holderIdentity\" : \"\"")));
  }

  @Test
  void mistakesAreToldBeforeAnythingBegins() throws Exception {
    refused(2, "--controllers webhook", "--controllers webhook: there are *, cronjob-controller");
    refused(2, "--shards 3", "unknown flag --shards: no controller has it");
    refused(2, "up", "no flags: up");
    refused(1, "--kubeconfig /tmp/folder/no", "there is no such file");
    refused(2, "--master http://127.0.0.1:1 --http-endpoint 8080", "write HOST:PORT or :PORT");
    refused(
        2,
        "--master http://127.0.0.1:1 --leader-elect-renew-deadline 20s",
        "the lease duration (PT15S) has to be longer than the renew deadline (PT20S)");
  }

  private void refused(int code, String line, String words) throws Exception {
    var ended = page.run("./berth controllers " + line);
    assertThat(ended.text()).contains(words);
    assertThat(ended.exitCode()).isEqualTo(code);
  }
}

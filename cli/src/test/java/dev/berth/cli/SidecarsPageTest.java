package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/sidecars.md, with folders of its own: an API server, a driver and the
/// sidecars, each a process (ONE-12, ONE-13, ONE-18, ONE-19, ONE-26, PROV-170, PROV-173).
class SidecarsPageTest {
  private static final Pattern SERVES = Pattern.compile("berth (apiserver|driver disk|sidecars) ");

  private final Path folder;
  private final PageShell page;

  SidecarsPageTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.page = new PageShell(folder);
  }

  @BeforeEach
  void makePool() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "the disk driver needs root");
    Files.createDirectory(folder.resolve("pool"));
  }

  @AfterEach
  void endServers() throws InterruptedException {
    page.close();
  }

  @Test
  void theWayLeadsThere() throws Exception {
    var serving = new ArrayList<Process>();
    for (var shown : Document.read(ROOT.resolve("docs/sidecars.md")).commands()) {
      if (SERVES.matcher(shown.command()).find()) serving.add(page.serve(shown));
      else page.showsAtLast(shown);
    }
    // SIGTERM: what it holds is given up, not left to run out
    assertThat(PageShell.end(serving.getLast())).isTrue();
    page.showsAtLast(
        new Shown(
            "./berth get lease -n default --home /tmp/folder/api -o json",
            List.of("\"holderIdentity\" : \"\"")));
  }

  @Test
  void mistakesAreToldBeforeAnythingBegins() throws Exception {
    refused("--csi-address csi.sock", "--csi-address csi.sock: write an absolute path");
    refused("--csi-address /a --kubeconfig /tmp/folder/no", "there is no such file");
    refused("--csi-address /a --timeout 5", "write a time such as 15s, 1m30s or 250ms, not 5");
    Files.writeString(folder.resolve("secret"), "abc");
    assertThat(
            refused("--csi-address /a --kubeconfig /tmp/folder/secret", "/secret is no kubeconfig"))
        .doesNotContain("abc");
    Files.writeString(folder.resolve("config"), "{kind: Config, apiVersion: v1}");
    refused("--csi-address /a --kubeconfig /tmp/folder/config", "/config names no cluster");
    refused(
        "--csi-address /a --leader-election --leader-election-renew-deadline 20s",
        "the lease duration (PT15S) has to be longer than the renew deadline (PT20S)");
    refused("--csi-address /a --snapshots", "--snapshots");
    if (System.getenv("KUBECONFIG") == null && !Files.exists(Path.of("/root/.kube/config")))
      refused("--csi-address /a", "no cluster is named");
  }

  /// @return all that is said
  private String refused(String options, String words) throws Exception {
    var ended = page.run("./berth sidecars " + options);
    assertThat(ended.text()).contains(words);
    assertThat(ended.exitCode()).isEqualTo(2);
    return ended.text();
  }
}

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
/// sidecars, each a process (ONE-12, ONE-13, ONE-18, ONE-19, ONE-25, ONE-26, PROV-170, PROV-173).
class SidecarsPageTest {
  private static final Pattern SERVES = Pattern.compile("berth (apiserver|driver disk|sidecars?) ");

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
    for (var sidecars : serving.subList(2, serving.size()))
      assertThat(PageShell.end(sidecars)).isTrue();
    page.showsAtLast(
        new Shown(
            "./berth get lease -n default --home /tmp/folder/api -o json",
            List.of("\"holderIdentity\" : \"\"")));
  }

  /// What upstream's programs refuse to understand ends with 2, what they find wrong afterwards
  /// with 1, as theirs.
  @Test
  void mistakesAreToldBeforeAnythingBegins() throws Exception {
    refused(2, "s --csi-address /a --timeout 5", "write a time such as 15s, 1m30s or 250ms");
    refused(2, "s --csi-address /a --snapshots", "unknown flag --snapshots: no sidecar has it");
    refused(2, "s --controllers provisioner,webhook", "--controllers webhook: there are auto");
    refused(2, " attacher --strict-topology", "--strict-topology: it is one of provisioner");
    refused(2, " webhook", "there is no sidecar webhook; there are provisioner, attacher");
    refused(2, "s --csi-address csi.sock", "--csi-address csi.sock: write an absolute path");
    refused(2, " attacher --worker-threads 0", "--worker-threads must be greater than zero");
    refused(2, " attacher --feature-gates=Other=true", "unrecognized feature gate: Other");
    refused(1, " attacher --kubeconfig /tmp/folder/no", "there is no such file");
    Files.writeString(folder.resolve("secret"), "abc");
    assertThat(refused(1, " attacher --kubeconfig /tmp/folder/secret", "/secret is no kubeconfig"))
        .doesNotContain("abc");
    Files.writeString(folder.resolve("config"), "{kind: Config, apiVersion: v1}");
    refused(1, "s --kubeconfig /tmp/folder/config", "/config names no cluster");
    var far = " attacher --master http://127.0.0.1:1".replace("attacher", "provisioner");
    refused(
        2,
        far + " --leader-election --leader-election-renew-deadline 20s",
        "the lease duration (PT15S) has to be longer than the renew deadline (PT20S)");
    refused(
        2,
        far + " --http-endpoint :1 --metrics-address :2",
        "only one of --metrics-address and --http-endpoint can be set");
    if (System.getenv("KUBECONFIG") == null && !Files.exists(Path.of("/root/.kube/config")))
      refused(1, "s --csi-address /a", "no cluster is named");
  }

  /// @return all that is said
  private String refused(int code, String line, String words) throws Exception {
    var ended = page.run("./berth sidecar" + line);
    assertThat(ended.text()).contains(words);
    assertThat(ended.exitCode()).isEqualTo(code);
    return ended.text();
  }
}

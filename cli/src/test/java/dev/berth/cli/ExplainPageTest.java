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
    assertThat(hidden.text()).contains("--resource=persistentvolumes --dry-run");
    var both = page.run("./berth explain pv/a --home /tmp/folder --kubeconfig /tmp/folder/jane");
    assertThat(both.text()).contains("give --kubeconfig or --home, not both");
    var elsewhere = page.run("KUBECONFIG=/tmp/folder/jane ./berth explain pv/a --context prod");
    assertThat(elsewhere.exitCode()).as(elsewhere.text()).isEqualTo(1);
    assertThat(elsewhere.text()).contains("no context \"prod\" in ", "there are: berth");
    var driver = page.run("./berth explain driver/no-such --kubeconfig /tmp/folder/api/kubeconfig");
    assertThat(driver.exitCode()).as(driver.text()).isEqualTo(2);
    assertThat(driver.text()).contains("no CSIDriver, CSINode, storage class or volume names it");
    var unseen = page.run("./berth explain driver/no-such --kubeconfig /tmp/folder/jane");
    assertThat(unseen.exitCode()).as(unseen.text()).isEqualTo(3);
    var made =
        page.run(
            "echo '{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"StorageClass\",\"metadata\":{\"name\":\"d\"},\"provisioner\":\"d.example.com\"}'"
                + " | kubectl --kubeconfig /tmp/folder/api/kubeconfig create -f -");
    assertThat(made.text()).contains("storageclass.storage.k8s.io/d created");
    page.run(
        "kubectl --kubeconfig /tmp/folder/api/kubeconfig create clusterrole classes"
            + " --verb=get,list,watch --resource=storageclasses");
    page.run(
        "kubectl --kubeconfig /tmp/folder/api/kubeconfig create clusterrolebinding classes"
            + " --clusterrole=classes --serviceaccount=shop:jane");
    var half = page.run("./berth explain driver/d.example.com --kubeconfig /tmp/folder/jane");
    assertThat(half.text()).contains("May not be read, and could change the answer: ", "csinodes");
    var snapshot = page.run("./berth explain vs/a -n shop --kubeconfig /tmp/folder/api/kubeconfig");
    assertThat(snapshot.exitCode()).as(snapshot.text()).isEqualTo(2);
    assertThat(snapshot.text()).contains("volumesnapshot").doesNotContain("404");
    page.run("grep -v certificate-authority /tmp/folder/api/kubeconfig > /tmp/folder/strange");
    var strange = page.run("./berth explain pv/a --kubeconfig /tmp/folder/strange");
    assertThat(strange.text()).contains("certificate is not trusted").doesNotContain("berth up");
    page.run(
        "sed 's#server: .*#server: https://no-such.invalid#' /tmp/folder/jane > /tmp/folder/far");
    var far = page.run("./berth explain pv/a --kubeconfig /tmp/folder/far");
    assertThat(far.text()).contains("unknown host").doesNotContain("berth up");
    var away = page.run("KUBECONFIG=/tmp/folder/none ./berth explain pv/a --context berth");
    assertThat(away.text()).contains("there is no kubeconfig ");
    assertThat(away.exitCode()).isEqualTo(1);
  }
}

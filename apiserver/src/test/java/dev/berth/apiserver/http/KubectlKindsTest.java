package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Creates what `kubectl create` can (API-01, API-03, API-04), scales and drains (API-118).
@Timeout(120)
class KubectlKindsTest {
  @TempDir static Path home;
  private static Kubectl kubectl;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    kubectl = Kubectl.in(home);
    server = RunningServer.in(home);
  }

  @AfterAll
  static void stop() {
    if (server != null) server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deployment d1 --image=host --replicas=2",
        "service clusterip s1 --tcp=80:8080",
        "service nodeport s2 --tcp=80",
        "service externalname s3 --external-name=example.com",
        "service loadbalancer s4 --tcp=80",
        "quota q1 --hard=pods=20,requests.storage=10Gi",
        "job j1 --image=host",
        "cronjob c1 --image=host --schedule=*/5_*_*_*_*",
        "pdb b1 --selector=app=none --min-available=1",
        "priorityclass p1 --value=1000",
        "role r1 --verb=get --resource=pods",
        "clusterrole r2 --verb=get --resource=nodes",
        "rolebinding rb1 --role=r1 --user=ada",
        "clusterrolebinding rb2 --clusterrole=r2 --group=staff",
        "ingress i1 --rule=example.com/*=s1:80",
        "configmap m1 --from-literal=a=b",
        "secret generic g1 --from-literal=a=b",
        "serviceaccount a1",
        "namespace n1"
      })
  void whatKubectlCreatesIsThere(String what) throws Exception {
    var words = new ArrayList<>(List.of("create"));
    for (var word : what.split(" ")) words.add(word.replace('_', ' '));
    var created = kubectl.says(words.toArray(String[]::new));
    assertThat(created).endsWith(" created\n");
    var last = created.lines().reduce((warning, line) -> line).orElseThrow();
    var name = last.substring(0, last.indexOf(' '));
    assertThat(kubectl.says("get", name, "--no-headers"))
        .startsWith(name.substring(name.indexOf('/') + 1));
    assertThat(kubectl.says("explain", name.split("[./]")[0])).contains("FIELDS:");
    assertThat(kubectl.says("describe", name)).contains("Name:");
    assertThat(kubectl.says("delete", name, "--timeout=20s")).contains("deleted");
  }

  @Test
  void aDeploymentIsScaled() throws Exception {
    kubectl.says("create", "deployment", "grows", "--image=host");
    assertThat(kubectl.says("scale", "deployment", "grows", "--replicas=3"))
        .isEqualTo("deployment.apps/grows scaled\n");
    assertThat(
            kubectl.says(
                "get",
                "deployment",
                "grows",
                "--subresource=scale",
                "-o",
                "jsonpath={.spec.replicas}"))
        .isEqualTo("3");
    assertThat(kubectl.says("scale", "deployment", "grows", "--current-replicas=1", "--replicas=9"))
        .contains("Expected replicas to be 1, was 3");
    assertThat(kubectl.says("get", "all")).contains("deployment.apps/grows   0/3");
  }

  @Test
  void aNodeIsDrainedAsTheBudgetAllows() throws Exception {
    var file = home.resolve("guarded.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Node
        metadata: {name: old}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: guarded, labels: {app: guarded}}
        spec: {nodeName: old, terminationGracePeriodSeconds: 0, containers: [{name: c, image: host}]}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guard}
        spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
        """);
    assertThat(kubectl.says("create", "-f", file.toString())).contains("pod/guarded created");
    status("pod", "guarded", "{phase: Running, conditions: [{type: Ready, status: 'True'}]}");
    status(
        "pdb",
        "guard",
        "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1}");
    assertThat(kubectl.says("drain", "old", "--force", "--timeout=1s"))
        .contains("Cannot evict pod as it would violate the pod's disruption budget");
    status("pdb", "guard", "{observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2}");
    assertThat(kubectl.says("drain", "old", "--force", "--timeout=30s"))
        .contains("node/old drained");
    assertThat(kubectl.says("get", "pod", "guarded")).contains("NotFound");
  }

  @Test
  void everyNamespaceKnowsTheServer() throws Exception { // API-89
    assertThat(kubectl.says("get", "cm", "kube-root-ca.crt", "-n", "kube-public", "-o", "yaml"))
        .contains("BEGIN CERTIFICATE");
  }

  private static void status(String kind, String name, String status) throws Exception {
    var patch = World.yaml("status: " + status).toString();
    assertThat(
            kubectl.says("patch", kind, name, "--subresource=status", "--type=merge", "-p", patch))
        .contains("patched");
  }
}

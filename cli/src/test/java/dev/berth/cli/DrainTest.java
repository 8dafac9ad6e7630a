package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `kubectl drain` of a node whose pods a budget guards (API-118).
class DrainTest {
  private static final String BUDGET =
      """
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: guard}
      spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
      """;
  private static final String POD =
      """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, labels: {app: guarded}}
      spec:
        nodeName: %s
        terminationGracePeriodSeconds: 0
        containers: [{name: main, image: host, command: [sleep, '1000']}]
      """;

  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    opened = Shell.open("drain");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  @Test
  void goesOnWhenTheBudgetAllowsIt() throws Exception {
    var shell = Objects.requireNonNull(opened);
    var kubectl = Kubectl.of(shell);
    shell.up("--nodes", "2").isUp();
    kubectl.apply(BUDGET + POD.formatted("one", "node-1") + POD.formatted("two", "node-1"));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            kubectl
                .run("get", "pdb", "guard", "-o", "jsonpath={.status.disruptionsAllowed}")
                .equals("1"));
    assertThat(kubectl.run("drain", "node-1", "--force", "--timeout=5s"))
        .contains("Cannot evict pod as it would violate the pod's disruption budget");
    kubectl.apply(POD.formatted("three", "node-2"));
    assertThat(kubectl.run("drain", "node-1", "--force", "--timeout=60s"))
        .contains("node/node-1 drained");
    assertThat(kubectl.run("get", "pods", "-o", "name")).isEqualTo("pod/three\n");
  }
}

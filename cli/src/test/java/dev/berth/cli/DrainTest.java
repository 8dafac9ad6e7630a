package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `kubectl drain` of a node whose pods a budget guards (API-118).
class DrainTest {
  private static final String GUARDED =
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
    assumeTrue(kubectl() != null, "no kubectl here");
    opened = Shell.open("drain");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  @Test
  void goesOnWhenTheBudgetAllowsIt() throws Exception {
    var manifest = shell().folder().resolve("guarded.yaml");
    Files.writeString(
        manifest, GUARDED + POD.formatted("one", "node-1") + POD.formatted("two", "node-1"));
    shell().up("--nodes", "2").isUp();
    run("apply", "-f", manifest.toString());
    untilAllowed("1");
    assertThat(run("drain", "node-1", "--force", "--timeout=5s"))
        .contains("Cannot evict pod as it would violate the pod's disruption budget");
    Files.writeString(manifest, POD.formatted("three", "node-2"));
    run("apply", "-f", manifest.toString());
    assertThat(run("drain", "node-1", "--force", "--timeout=60s")).contains("node/node-1 drained");
    assertThat(run("get", "pods", "-o", "name")).isEqualTo("pod/three\n");
  }

  private void untilAllowed(String pods) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            pods.equals(run("get", "pdb", "guard", "-o", "jsonpath={.status.disruptionsAllowed}")));
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(String.valueOf(kubectl()));
    command.addAll(List.of("--kubeconfig", shell().home().resolve("kubeconfig").toString()));
    command.addAll(List.of("--cache-dir", shell().folder().resolve("cache").toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  private static @Nullable Path kubectl() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}

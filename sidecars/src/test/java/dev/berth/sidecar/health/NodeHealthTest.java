package dev.berth.sidecar.health;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.VOLUME_CONDITION;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerServiceCapability.RPC.Type;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What claims are told of the nodes of their pods, on the real API and the real loop.
class NodeHealthTest {
  private static final Duration WALK = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final Bench bench = new Bench();
  private final HealthDriver driver = new HealthDriver();
  private final PrometheusRegistry registry = new PrometheusRegistry();

  @AfterEach
  void close() {
    bench.close();
  }

  private static Tree bound() {
    return volume().without("spec", "claimRef", "uid");
  }

  private static Tree ours() {
    return claim().with(VOLUME, "spec", "volumeName").with("Bound", "status", "phase");
  }

  private HealthOptions options() {
    return HealthOptions.DEFAULT.counting(new HealthMetrics(registry));
  }

  private void run(Type... can) {
    if (bench.find(Kinds.CLAIM, "data").isEmpty()) bench.create(ours(), bound());
    bench.run(HealthMonitor.part(Objects.driver(can), options()), driver);
  }

  private static Tree pod(String name, String node) {
    return Tree.of(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop"},
             "spec": {"containers": [{"name": "c", "image": "i"}],
               "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}}
            """)
        .named(name)
        .with(node, "spec", "nodeName");
  }

  private Tree node(String ready) {
    return Objects.node("n1", Map.of())
        .with(
            new Object[] {
              Map.of(
                  "type",
                  "Ready",
                  "status",
                  ready,
                  "lastTransitionTime",
                  bench.time().now().toString())
            },
            "status",
            "conditions");
  }

  private void watchNodes() {
    bench.create(ours(), bound(), node("True"));
    bench.run(
        HealthMonitor.part(
            Objects.driver(VOLUME_CONDITION, LIST_VOLUMES),
            new HealthOptions(WALK, LOOK, 10, LOOK, true, new HealthMetrics(registry))),
        driver);
    bench.create(pod("p2", "n1"), pod("p1", "n1"), pod("p3", "n2")); // HM-14: after its start
    bench.time().settle();
  }

  private void becomes(String ready) {
    bench.patchStatus(
        Resources.NODES, "n1", "{\"status\": %s}".formatted(node(ready).json().path("status")));
  }

  private static final String FAILED =
      "NodeFailed: Pods: [ p1 p2 ] consuming PVC: data in namespace: shop are now on a failed"
          + " node: n1";

  @Test
  void aNodeThatIsNotReadyForLongHasFailed() { // HM-05, HM-14, HM-16
    watchNodes();
    becomes("Unknown");
    bench.pass(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(failures()).isEmpty();
    bench.pass(Duration.ofSeconds(2));
    assertThat(failures()).containsExactly(FAILED);
    bench.pass(Duration.ofMinutes(30));
    becomes("True");
    assertThat(failures()).containsExactly(FAILED, "NodeRecovered: Node: n1 recovered");
    becomes("False");
    bench.pass(Duration.ofMinutes(6));
    assertThat(failures()).hasSize(3);
  }

  @Test
  void howLongANodeIsNotReadyIsCountedFromWhenItIsSeen() { // HM-05
    watchNodes();
    bench.patchStatus(
        Resources.NODES,
        "n1",
        "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"Unknown\","
            + " \"lastTransitionTime\": \"2020-01-01T00:00:00Z\"}]}}");
    bench.pass(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(failures()).isEmpty();
    bench.pass(Duration.ofSeconds(2));
    assertThat(failures()).containsExactly(FAILED);
  }

  /// Of the nodes that the test is about: n2 is never there.
  private List<String> failures() {
    return bench.events().stream().filter(it -> !it.contains("failed node: n2")).toList();
  }

  @Test
  void aNodeThatIsDeletedOrTerminatedHasFailed() { // HM-05, HM-14
    watchNodes();
    bench.delete(Resources.NODES, "n1");
    assertThat(failures()).containsExactly(FAILED);
    bench.create(node("True"));
    bench.time().settle();
    bench.patchStatus(
        Resources.NODES,
        "n1",
        "{\"status\": {\"phase\": \"Terminated\", \"conditions\": [{\"type\": \"Ready\","
            + " \"status\": \"False\"}]}}");
    assertThat(failures()).containsExactly(FAILED, "NodeRecovered: Node: n1 recovered", FAILED);
  }

  @Test
  void nodesAreNotWatchedUnlessThatIsAskedFor() { // HM-05
    bench.create(pod("p1", "n1"));
    run(VOLUME_CONDITION, LIST_VOLUMES);
    bench.pass(Duration.ofMinutes(30));
    assertThat(bench.events()).isEmpty();
    assertThat(
            HealthMonitor.part(
                    Objects.driver(VOLUME_CONDITION, LIST_VOLUMES), HealthOptions.DEFAULT)
                .kinds())
        .doesNotContain(Kinds.POD, Kinds.NODE);
  }
}

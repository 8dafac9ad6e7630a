package dev.berth.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that keeps a pod on each node, on a real server.
class DaemonSetsTest {
  private static final ObjectKey LOG = ObjectKey.of("shop", "log");
  private static final Draft SET =
      Draft.of(
          """
          apiVersion: apps/v1
          kind: DaemonSet
          metadata: {namespace: shop, name: log}
          spec:
            selector: {matchLabels: {app: log}}
            template:
              metadata: {labels: {app: log}}
              spec: {containers: [{name: app, image: host}]}
          """);

  private @Nullable Cluster running;

  @BeforeEach
  void start() throws Exception {
    running = Cluster.of(means -> List.of(DaemonSets.sets().controller(means)));
    cluster().create(Draft.node("a"), Draft.node("b"));
  }

  @AfterEach
  void stop() {
    cluster().close();
  }

  private Cluster cluster() {
    return Objects.requireNonNull(running);
  }

  private List<Pod> living() {
    return cluster().list(Kinds.POD).stream().filter(pod -> !pod.meta().deleting()).toList();
  }

  private Set<String> nodes() {
    return living().stream().map(DaemonPods::node).collect(Collectors.toSet());
  }

  private void until(String field, int value) {
    cluster().until(Workload.DAEMON_SET, LOG, set -> set.status().path(field).asInt() == value);
  }

  private void change(String path, String value) {
    var change = Draft.of("{metadata: {}}").set(path, value).tree();
    cluster().patch(Workload.DAEMON_SET, LOG, body -> body.set("spec", change.path("spec")));
  }

  private void readyAll() {
    for (var pod : living()) if (!PodState.isReady(pod)) Pods.ready(cluster(), pod.meta().key());
  }

  @Test
  void eachNodeHasOneAndWhoeverComesGetsOne() {
    cluster().create(SET);
    until("currentNumberScheduled", 2);
    assertThat(nodes()).containsExactlyInAnyOrder("a", "b");
    assertThat(living())
        .allMatch(pod ->
            pod.tolerations().stream()
                .anyMatch(it -> it.key().equals("node.kubernetes.io/not-ready")));
    readyAll();
    until("numberAvailable", 2);
    cluster().create(Draft.node("c"));
    until("desiredNumberScheduled", 3);
    await().until(() -> nodes().contains("c"));
    cluster().delete(Kinds.NODE, ObjectKey.cluster("a"));
    await().until(() -> nodes().equals(Set.of("b", "c")));
    cluster().untilQuiet();
    assertThat(living()).hasSize(2);
  }

  @Test
  void aNodeThatIsNotForItHasNone() {
    cluster()
        .create(
            Draft.node("gpu").label("kind", "gpu"),
            Draft.node("kept")
                .label("kind", "gpu")
                .set("spec.taints", "[{key: only, value: others, effect: NoSchedule}]"));
    cluster().create(SET.set("spec.template.spec.nodeSelector", "{kind: gpu}"));
    until("currentNumberScheduled", 1);
    cluster().untilQuiet();
    assertThat(nodes()).containsExactly("gpu");
    cluster()
        .patch(
            Kinds.NODE,
            ObjectKey.cluster("gpu"),
            node -> node.putObject("metadata").putObject("labels").put("kind", "none"));
    await().until(() -> living().isEmpty());
  }

  @Test
  void aNewTemplateComesToOneNodeAfterTheOther() {
    cluster().create(SET);
    until("currentNumberScheduled", 2);
    readyAll();
    until("numberAvailable", 2);
    change("spec.template.metadata.labels", "{app: log, edition: second}");
    await().until(() -> editions() == 1);
    cluster().untilQuiet();
    assertThat(editions()).as("the other one waits").isEqualTo(1);
    readyAll();
    await().until(() -> editions() == 2);
    readyAll();
    until("numberAvailable", 2);
    until("updatedNumberScheduled", 2);
  }

  private long editions() {
    return living().stream().filter(pod -> pod.meta().labels().containsKey("edition")).count();
  }

  @Test
  void surgesAreRefusedInWords() {
    cluster()
        .create(
            SET.set(
                "spec.updateStrategy",
                "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"));
    until("currentNumberScheduled", 2);
    change("spec.template.metadata.labels", "{app: log, edition: second}");
    cluster()
        .untilTold(
            "Unsupported: spec.updateStrategy.rollingUpdate.maxSurge is not supported here: nothing"
                + " is rolled out; say maxUnavailable instead");
  }
}

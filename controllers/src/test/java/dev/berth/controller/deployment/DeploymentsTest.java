package dev.berth.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.replicaset.ReplicaSets;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loops that lead Deployments from one template to the next, on a real server.
class DeploymentsTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final Draft DEPLOYMENT =
      Draft.of(
          """
          apiVersion: apps/v1
          kind: Deployment
          metadata: {namespace: shop, name: web}
          spec:
            replicas: 3
            selector: {matchLabels: {app: web}}
            strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}
            revisionHistoryLimit: 1
            template:
              metadata: {labels: {app: web}}
              spec: {containers: [{name: app, image: host}]}
          """);

  private @Nullable Cluster running;

  @BeforeEach
  void start() throws Exception {
    running =
        Cluster.of(means ->
            List.of(
                Deployments.deployments().controller(means), ReplicaSets.sets().controller(means)));
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

  private void change(String path, String value) {
    var change = Draft.of("{metadata: {}}").set(path, value).tree();
    cluster().patch(Workload.DEPLOYMENT, WEB, body -> body.set("spec", change.path("spec")));
  }

  private void edition(String edition) {
    change("spec.template.metadata.labels", "{app: web, edition: %s}".formatted(edition));
  }

  private Workload until(Predicate<Workload> wanted) {
    return cluster().until(Workload.DEPLOYMENT, WEB, wanted);
  }

  private static boolean isRolledOut(Workload it) {
    return it.status().path("observedGeneration").asLong() == it.generation()
        && it.status().path("updatedReplicas").asInt() == it.replicas()
        && it.status().path("replicas").asInt() == it.replicas()
        && it.status().path("availableReplicas").asInt() == it.replicas();
  }

  private static String reason(Workload it, String type) {
    for (var condition : it.status().path("conditions"))
      if (Json.text(condition, "type").equals(type)) return Json.text(condition, "reason");
    return "";
  }

  /// Makes one pod after the other ready until all is rolled out.
  ///
  /// @param held what has to hold of the living pods all along
  private Workload rollOut(Predicate<List<Pod>> held) {
    await()
        .until(() -> {
          var pods = living();
          assertThat(held.test(pods)).as("%s", pods).isTrue();
          pods.stream()
              .filter(pod -> !PodState.isReady(pod))
              .min(Comparator.comparing(pod -> pod.meta().name()))
              .ifPresent(pod -> Pods.phase(cluster(), pod.meta().key(), "Running", true));
          return cluster().find(Workload.DEPLOYMENT, WEB).filter(it -> isRolledOut(it)).isPresent();
        });
    return until(it -> reason(it, "Progressing").equals("NewReplicaSetAvailable"));
  }

  @Test
  void aNewTemplateIsRolledOutWithinItsBounds() {
    cluster().create(DEPLOYMENT);
    var first = rollOut(pods -> pods.size() <= 3);
    assertThat(reason(first, "Available")).isEqualTo("MinimumReplicasAvailable");
    assertThat(first.meta().annotations()).containsEntry("deployment.kubernetes.io/revision", "1");
    edition("second");
    until(it -> it.status().path("updatedReplicas").asInt() > 0);
    var second =
        rollOut(pods -> pods.size() <= 4 && pods.stream().filter(PodState::isReady).count() >= 2);
    assertThat(second.meta().annotations()).containsEntry("deployment.kubernetes.io/revision", "2");
    assertThat(living()).allMatch(pod -> "second".equals(pod.meta().labels().get("edition")));
    assertThat(cluster().list(Workload.REPLICA_SET)).hasSize(2);
    edition("third");
    until(it -> it.status().path("updatedReplicas").asInt() > 0 && !isRolledOut(it));
    rollOut(pods -> pods.size() <= 4);
    await().untilAsserted(() -> assertThat(cluster().list(Workload.REPLICA_SET)).hasSize(2));
    edition("second"); // as kubectl rollout undo
    until(it -> "4".equals(it.meta().annotations().get("deployment.kubernetes.io/revision")));
    rollOut(pods -> pods.size() <= 4);
    assertThat(cluster().list(Workload.REPLICA_SET))
        .filteredOn(set -> set.replicas() > 0)
        .singleElement()
        .matches(set ->
            "2".equals(set.meta().annotations().get("deployment.kubernetes.io/revision-history")));
    assertThat(cluster().told())
        .anyMatch(it ->
            it.matches("ScalingReplicaSet: Scaled down replica set web-.* from [1-3] to [0-2]"));
  }

  @Test
  void whatIsRecreatedIsNeverThereTwice() {
    cluster().create(DEPLOYMENT.set("spec.strategy", "{type: Recreate}"));
    rollOut(pods -> true);
    edition("second");
    rollOut(pods ->
        pods.stream().map(pod -> pod.meta().labels().get("edition")).distinct().count() < 2);
  }

  @Test
  void whatIsPausedIsScaledAndNotRolledOut() {
    cluster().create(DEPLOYMENT);
    rollOut(pods -> true);
    change("spec.paused", "true");
    edition("second");
    change("spec.replicas", "4");
    await().until(() -> living().size() == 4);
    cluster().untilQuiet();
    assertThat(living()).noneMatch(pod -> pod.meta().labels().containsKey("edition"));
    until(it -> reason(it, "Progressing").equals("DeploymentPaused"));
    change("spec.paused", "false");
    rollOut(pods -> true);
    assertThat(living()).allMatch(pod -> pod.meta().labels().containsKey("edition"));
  }

  @Test
  void whatDoesNotGetOnIsSaid() {
    cluster().create(DEPLOYMENT.set("spec.progressDeadlineSeconds", "1"));
    until(it -> reason(it, "Progressing").equals("ProgressDeadlineExceeded"));
    rollOut(pods -> true);
  }
}

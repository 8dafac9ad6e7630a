package dev.berth.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.loop.Act;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that keeps the pods of ReplicaSets, on a real server.
class ReplicaSetsTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final Draft SET =
      Draft.of(
          """
          apiVersion: apps/v1
          kind: ReplicaSet
          metadata: {namespace: shop, name: web, generation: 1}
          spec:
            replicas: 3
            selector: {matchLabels: {app: web}}
            template:
              metadata: {labels: {app: web}}
              spec: {containers: [{name: app, image: host}]}
          """);

  private @Nullable Cluster running;

  @BeforeEach
  void start() throws Exception {
    running = Cluster.of(means -> List.of(ReplicaSets.sets().controller(means)));
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

  private void untilStatus(String field, int value) {
    cluster().until(Workload.REPLICA_SET, WEB, set -> set.status().path(field).asInt() == value);
  }

  @Test
  void asManyPodsAsItWantsAreThere() {
    cluster().create(SET);
    untilStatus("replicas", 3);
    cluster().untilQuiet();
    assertThat(living()).hasSize(3).allMatch(pod -> pod.meta().name().startsWith("web-"));
    var ready = Pods.ready(cluster(), living().getFirst().meta().key());
    untilStatus("readyReplicas", 1);
    untilStatus("availableReplicas", 1);
    cluster().patch(Workload.REPLICA_SET, WEB, set -> set.putObject("spec").put("replicas", 1));
    untilStatus("replicas", 1);
    assertThat(living())
        .as("who is ready stays")
        .extracting(Pod::meta)
        .containsExactly(ready.meta());
    cluster().delete(Kinds.POD, ready.meta().key());
    untilStatus("readyReplicas", 0);
    await().until(() -> living().size() == 1);
    Pods.phase(cluster(), living().getFirst().meta().key(), "Failed", false);
    await().until(() -> living().size() == 2);
    assertThat(cluster().told()).contains("SuccessfulDelete: Deleted pod: " + ended());
  }

  private String ended() {
    return cluster().told().stream()
        .filter(it -> it.startsWith("SuccessfulDelete"))
        .map(it -> it.replaceFirst(".*: ", ""))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void podsOfItsLabelsAreTakenAndOthersLetGo() {
    cluster().create(Draft.pod("own").label("app", "web"), Draft.pod("other").label("app", "x"));
    cluster().create(SET.set("spec.replicas", "1"));
    untilStatus("replicas", 1);
    var own = cluster().find(Kinds.POD, ObjectKey.of("shop", "own")).orElseThrow();
    assertThat(own.meta().controllerOwner()).isPresent();
    cluster()
        .patch(
            Kinds.POD,
            own.meta().key(),
            pod -> pod.putObject("metadata").putObject("labels").put("app", "debug"));
    cluster().until(Kinds.POD, own.meta().key(), pod -> pod.meta().controllerOwner().isEmpty());
    await().until(() -> living().size() == 3);
  }

  /// Who made some and died before he saw it makes the same ones.
  @Test
  void namesFollowFromWhatThereIs() {
    var world = World.of(SET.set("status", "{observedGeneration: 1, replicas: 0}"));
    var first = (Make) ((Act) Rule.decide(ReplicaSets.sets(), world, WEB)).effect();
    var again = (Make) ((Act) Rule.decide(ReplicaSets.sets(), world, WEB)).effect();
    assertThat(first).isEqualTo(again);
    assertThat(first.births())
        .extracting(it -> it.object().path("metadata").path("name").asText())
        .hasSize(3)
        .doesNotHaveDuplicates();
  }

  /// Without a node first, then what is not ready, then the youngest.
  @Test
  void whoHasDoneLeastGoesFirst() {
    var ready = "[{type: Ready, status: 'True', lastTransitionTime: '2026-11-21T10:00:00Z'}]";
    var world =
        World.of(
            SET.set("spec.replicas", "0")
                .set(
                    "status",
                    "{observedGeneration: 1, replicas: 4, fullyLabeledReplicas: 4,"
                        + " readyReplicas: 2, availableReplicas: 2}"),
            own("cheap")
                .runningOn("a")
                .set("status.conditions", ready)
                .annotate("controller.kubernetes.io/pod-deletion-cost", "-1"),
            own("dear").runningOn("a").set("status.conditions", ready),
            own("new"),
            own("starting").runningOn("a"));
    var remove = (Remove) ((Act) Rule.decide(ReplicaSets.sets(), world, WEB)).effect();
    assertThat(remove.deaths())
        .extracting(it -> it.object().key().name())
        .containsExactly("new", "starting", "cheap", "dear");
  }

  private static Draft own(String name) {
    return Draft.pod(name)
        .label("app", "web")
        .set(
            "metadata.ownerReferences",
            "[{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: uid-web, controller: true}]");
  }
}

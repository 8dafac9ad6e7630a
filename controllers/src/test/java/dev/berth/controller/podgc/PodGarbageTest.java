package dev.berth.controller.podgc;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that removes pods by force, on a real server.
class PodGarbageTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final ObjectKey NODE = ObjectKey.cluster("node-a");
  private static final Draft HELD =
      pod("web").set("spec.nodeName", "node-a").finalizer("example.com/held");

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    var garbage = new PodGarbage(new PodGarbage.Options(1));
    cluster =
        Cluster.of(
            Sources.of(garbage.source()),
            means -> List.of(garbage.pods().controller(means), garbage.ended().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void ask(ObjectKey pod) {
    cluster.api().delete(Resources.PODS, pod, DeleteOptions.DEFAULT);
  }

  private void ready(String status) {
    cluster.patchStatus(
        Kinds.NODE,
        NODE,
        body ->
            body.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", status));
  }

  private void takeOutOfService() {
    cluster.patch(
        Kinds.NODE,
        NODE,
        body ->
            body.putObject("spec")
                .putArray("taints")
                .addObject()
                .put("key", "node.kubernetes.io/out-of-service")
                .put("effect", "NoExecute"));
  }

  @Test
  void aPodThatEndsOnANodeOutOfServiceIsFailedAndGone() { // PGC-01, AD-55
    cluster.create(node("node-a"), HELD);
    ask(WEB);
    ready("Unknown");
    cluster.untilQuiet();
    assertThat(cluster.find(Kinds.POD, WEB).orElseThrow().finished())
        .as("nobody has said that the machine is off")
        .isFalse();
    takeOutOfService();
    var pod = cluster.until(Kinds.POD, WEB, Pod::shutDown);
    assertThat(pod.phase()).isEqualTo(Pod.Phase.FAILED);
    cluster.patch(Kinds.POD, WEB, body -> body.putObject("metadata").putNull("finalizers"));
    cluster.untilGone(Kinds.POD, WEB);
  }

  @Test
  void theServerItselfIsAskedWhetherANodeIsGone() { // PGC-01
    cluster.create(node("node-a"), HELD);
    var pod = cluster.find(Kinds.POD, WEB).orElseThrow();
    var collection = new Collection(cluster.api(), new Told<>(Absences.TOPIC));
    var orphaned = Collect.of(pod, Why.ORPHANED, Rule.NOW);
    collection.carryOut(orphaned);
    assertThat(cluster.find(Kinds.POD, WEB)).contains(pod);
    cluster.delete(Kinds.NODE, NODE);
    collection.carryOut(orphaned);
    var marked = cluster.find(Kinds.POD, WEB).orElseThrow();
    assertThat(marked.phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(marked.meta().deleting()).isTrue();
    assertThat(marked.status().path("conditions"))
        .anySatisfy(condition -> {
          assertThat(condition.path("type").asText()).isEqualTo("DisruptionTarget");
          assertThat(condition.path("reason").asText()).isEqualTo("DeletionByPodGC");
          assertThat(condition.path("message").asText()).isEqualTo("PodGC: node no longer exists");
        });
  }

  @Test
  void theServerItselfIsAskedWhetherANodeIsStillOutOfService() { // PGC-01, AD-55
    cluster.create(node("node-a"), HELD);
    ready("True");
    takeOutOfService();
    var pod = cluster.find(Kinds.POD, WEB).orElseThrow();
    var collection = new Collection(cluster.api(), new Told<>(Absences.TOPIC));
    var collect = Collect.of(pod, Why.OUT_OF_SERVICE, Rule.NOW);
    collection.carryOut(collect);
    assertThat(cluster.find(Kinds.POD, WEB)).as("its node is ready again").contains(pod);
    ready("Unknown");
    collection.carryOut(collect);
    assertThat(cluster.find(Kinds.POD, WEB).orElseThrow().shutDown()).isTrue();
  }

  @Test
  void ofPodsThatHaveEndedSoManyAreKept() { // PGC-01
    cluster.create(node("node-a"));
    for (var name : List.of("one", "two", "three")) {
      cluster.create(pod(name).set("spec.nodeName", "node-a"));
      cluster.patchStatus(
          Kinds.POD,
          ObjectKey.of("shop", name),
          body -> body.putObject("status").put("phase", "Succeeded"));
    }
    cluster.untilGone(Kinds.POD, ObjectKey.of("shop", "one"));
    cluster.untilQuiet();
    assertThat(cluster.list(Kinds.POD)).hasSize(1);
  }
}

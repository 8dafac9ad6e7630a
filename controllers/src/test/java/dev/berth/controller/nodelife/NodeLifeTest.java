package dev.berth.controller.nodelife;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Cluster;
import dev.berth.controller.eviction.TaintEviction;
import dev.berth.controller.podgc.PodGarbage;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node that dies and comes back, on a real server, with all who see to that.
class NodeLifeTest {
  private static final ObjectKey NODE = ObjectKey.cluster("node-a");
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final Duration GRACE = Duration.ofMillis(600);

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    var life = new NodeLife(new NodeLife.Options(GRACE, GRACE, NodeLife.Limits.DEFAULT));
    var eviction = new TaintEviction();
    var garbage = new PodGarbage(PodGarbage.Options.DEFAULT);
    cluster =
        Cluster.of(
            Sources.of(life.source(), eviction.source(), garbage.source()),
            means ->
                List.of(
                    life.nodes().controller(means),
                    eviction.pods().controller(means),
                    garbage.pods().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void report(String node) {
    cluster.patchStatus(
        Kinds.NODE,
        ObjectKey.cluster(node),
        body ->
            body.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("lastHeartbeatTime", Instant.now().toString()));
  }

  private static boolean has(Node node, String key, String effect) {
    return node.taints().stream()
        .anyMatch(taint -> taint.key().equals(key) && taint.effect().equals(effect));
  }

  @Test
  void aNodeIsLostAndComesBackAndWhenItIsOffItsPodIsGone() { // AD-56, PGC-02, AD-55
    cluster.create(node("node-a"), node("node-b"));
    cluster.create(pod("web").set("spec.nodeName", "node-a"));
    cluster.patchStatus(
        Kinds.POD,
        WEB,
        body ->
            body.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True"));
    cluster.untilTold("RegisteredNode: Node node-a event: Registered Node node-a in Controller");
    cluster.untilTold("NodeNotReady: Node node-a status is now: NodeNotReady");
    cluster.until(
        Kinds.NODE, NODE, node -> has(node, "node.kubernetes.io/unreachable", "NoSchedule"));
    cluster.until(Kinds.POD, WEB, pod -> !pod.ready());
    cluster.untilTold("NodeNotReady: Node is not ready");

    report("node-a");
    cluster.until(Kinds.NODE, NODE, node -> node.ready() && node.taints().isEmpty());

    cluster.until(Kinds.NODE, NODE, node -> !node.ready());
    assertThat(cluster.find(Kinds.POD, WEB).orElseThrow().meta().deleting())
        .as("it may come back")
        .isFalse();
    cluster.patch(
        Kinds.NODE,
        NODE,
        body ->
            body.putObject("spec")
                .putArray("taints")
                .addObject()
                .put("key", "node.kubernetes.io/out-of-service")
                .put("effect", "NoExecute"));
    cluster.untilGone(Kinds.POD, WEB);
    cluster.untilTold("TaintManagerEviction: Marking for deletion Pod shop/web");
  }

  @Test
  void aPodOfANodeThatLivesStaysReady() { // AD-56
    cluster.create(node("node-a"), pod("web").set("spec.nodeName", "node-a"));
    var until = Instant.now().plus(GRACE.multipliedBy(3));
    while (Instant.now().isBefore(until)) {
      report("node-a");
      assertThat(cluster.until(Kinds.NODE, NODE, _ -> true).ready()).isTrue();
    }
    assertThat(cluster.find(Kinds.POD, WEB).map(Pod::meta)).isPresent();
  }
}

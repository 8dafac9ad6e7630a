package dev.berth.controller.eviction;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.controller.Cluster;
import dev.berth.controller.Means;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that takes pods off nodes, on a server that gives pods their default tolerations.
class TaintEvictionTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final ObjectKey STAYS = ObjectKey.of("shop", "stays");
  private static final ObjectKey NODE = ObjectKey.cluster("node-a");

  private final TaintEviction eviction = new TaintEviction();
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.of(
            Sources.of(eviction.source()), means -> List.of(eviction.pods().controller(means)));
    cluster.create(node("node-a"));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void taint(Consumer<ArrayNode> taints) {
    cluster.patch(
        Kinds.NODE, NODE, body -> taints.accept(body.putObject("spec").putArray("taints")));
  }

  @Test
  void aPodThatDoesNotTolerateTheTaintIsToldAndDeletedInItsOwnTime() { // PGC-02
    cluster.create(
        pod("web").set("spec.nodeName", "node-a"),
        pod("stays")
            .set("spec.nodeName", "node-a")
            .set("spec.tolerations", "[{key: mine, operator: Exists}]"));
    taint(taints -> taints.addObject().put("key", "mine").put("effect", "NoExecute"));
    var web = cluster.until(Kinds.POD, WEB, pod -> pod.meta().deleting());
    assertThat(web.meta().graceSeconds()).as("no force").hasValue(30);
    assertThat(web.status().path("conditions"))
        .anySatisfy(condition -> {
          assertThat(condition.path("type").asText()).isEqualTo("DisruptionTarget");
          assertThat(condition.path("reason").asText()).isEqualTo("DeletionByTaintManager");
          assertThat(condition.path("message").asText())
              .isEqualTo("Taint manager: deleting due to NoExecute taint");
        });
    cluster.untilTold("TaintManagerEviction: Marking for deletion Pod shop/web");
    cluster.untilQuiet();
    assertThat(cluster.find(Kinds.POD, STAYS).orElseThrow().meta().deleting()).isFalse();
  }

  /// Another process led meanwhile, and nobody here saw the taint go and come again.
  @Test
  void whoLeadsAgainCountsFromTheTaintThatIsThere() { // PGC-02
    cluster.create(pod("web").set("spec.nodeName", "node-a"));
    taint(taints ->
        taints.addObject().put("key", "node.kubernetes.io/unreachable").put("effect", "NoExecute"));
    cluster.untilQuiet();
    assertThat(eviction.source().now()).isNotEqualTo(Pending.TOPIC.none());
    var _ = eviction.pods().controller(new Means(cluster.api(), Snapshots::empty, _ -> {}));
    assertThat(eviction.source().now()).isEqualTo(Pending.TOPIC.none());
  }

  @Test
  void aTaintThatGoesInTimeHarmsNobody() { // PGC-02
    cluster.create(pod("web").set("spec.nodeName", "node-a"));
    taint(taints ->
        taints.addObject().put("key", "node.kubernetes.io/unreachable").put("effect", "NoExecute"));
    cluster.untilQuiet();
    taint(_ -> {});
    cluster.untilTold("TaintManagerEviction: Cancelling deletion of Pod shop/web");
    assertThat(cluster.find(Kinds.POD, WEB).orElseThrow().meta().deleting())
        .as("300 s are tolerated where a pod says nothing")
        .isFalse();
  }
}

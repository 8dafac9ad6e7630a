package dev.berth.controller.disruption;

import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Evictions on a server whose budgets somebody counts.
class DisruptionsTest {
  private static final ObjectKey GUARD = ObjectKey.of("shop", "guard");
  private static final Draft BUDGET =
      Draft.of(
          """
          apiVersion: policy/v1
          kind: PodDisruptionBudget
          metadata: {namespace: shop, name: guard}
          spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
          """);

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.of(means -> List.of(Disruptions.budgets().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void onePodAfterTheOtherIsLetGoAsTheBudgetAllows() { // API-118
    cluster.create(BUDGET);
    cluster.until(Budget.KIND, GUARD, budget -> budget.status().path("expectedPods").asInt() == 0);
    makeReady("one");
    makeReady("two");
    cluster.until(Budget.KIND, GUARD, budget -> allowed(budget) == 1);
    evict("one");
    cluster.untilGone(Kinds.POD, ObjectKey.of("shop", "one"));
    cluster.until(
        Budget.KIND,
        GUARD,
        it -> it.status().path("expectedPods").asInt() == 1 && allowed(it) == 0);
    assertThatThrownBy(() -> evict("two"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("disruption budget");
    assertThat(cluster.find(Budget.KIND, GUARD).orElseThrow().disrupted()).isEmpty();
    makeReady("three");
    cluster.until(Budget.KIND, GUARD, budget -> allowed(budget) == 1);
    evict("two");
  }

  private static int allowed(Budget budget) {
    return budget.status().path("disruptionsAllowed").asInt();
  }

  private void makeReady(String name) {
    cluster.create(pod(name).label("app", "web"));
    cluster
        .api()
        .patchStatus(
            Resources.PODS,
            ObjectKey.of("shop", name),
            Patch.merge(
                Draft.of("{status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}")
                    .tree()
                    .without("metadata")));
  }

  private void evict(String name) {
    ObjectNode eviction =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", "policy/v1")
            .put("kind", "Eviction");
    eviction.putObject("metadata").put("namespace", "shop").put("name", name);
    cluster.api().post(Resources.PODS, ObjectKey.of("shop", name), "eviction", eviction);
  }
}

package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.StoredResources.DISRUPTION_BUDGETS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.ObjectKey;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/// API-118: pods go as their budget allows.
class EvictionTest {
  private static final String BUDGET =
      "{metadata: {name: b, namespace: default}, spec: {minAvailable: 1, selector: {matchLabels:"
          + " {app: web}}}}";

  /// A running pod that is ready, and its budget.
  private final World world =
      new World()
          .with(PODS, vary(POD, "name: web", "name: web, labels: {app: web}"))
          .with(DISRUPTION_BUDGETS, BUDGET);

  private void runs(String ready) {
    world.mergeStatus(
        PODS,
        "default/web",
        "{status: {phase: Running, conditions: [{type: Ready, status: '%s'}]}}".formatted(ready));
  }

  private void budget(int allowed, int healthy, int desired) {
    world.mergeStatus(
        DISRUPTION_BUDGETS,
        "default/b",
        "{status: {observedGeneration: 1, disruptionsAllowed: %d, currentHealthy: %d, desiredHealthy: %d}}"
            .formatted(allowed, healthy, desired));
  }

  private Answer evict() {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("name", "web");
    return world.ask(new Request.Post(PODS, ObjectKey.of("default", "web"), "eviction", body));
  }

  private static Refusal refusal(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).refusal();
  }

  @Test
  void aBudgetThatNobodyHasSeenYetKeepsItsPods() {
    runs("True");
    var refusal = refusal(evict());
    assertThat(refusal.code()).isEqualTo(429);
    assertThat(refusal.details().retryAfterSeconds()).isEqualTo(10);
    assertThat(refusal.message())
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(refusal.details().causes())
        .extracting(Refusal.Cause::reason, Refusal.Cause::message)
        .containsExactly(
            Tuple.tuple(
                "DisruptionBudget",
                "The disruption budget b is still being processed by the server."));
  }

  @Test
  void aSpentBudgetKeepsItsPods() {
    runs("True");
    budget(0, 1, 1);
    assertThat(refusal(evict()).details().causes().getFirst().message())
        .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
    assertThat(world.get(PODS, "default/web").at("/metadata/deletionTimestamp").isMissingNode())
        .isTrue();
  }

  @Test
  void aBudgetIsSpentOnWhoGoes() {
    runs("True");
    budget(1, 2, 1);
    assertThat(evict()).isInstanceOf(Answer.Done.class);
    var status = world.get(DISRUPTION_BUDGETS, "default/b").path("status");
    assertThat(status.path("disruptionsAllowed").asInt()).isZero();
    assertThat(status.path("disruptedPods").has("web")).isTrue();
    assertThat(world.find(PODS, "default/web")).isEmpty();
    assertThat(world.written().toString()).isNotEmpty();
  }

  @Test
  void whoIsNotReadyMayGoWhileEnoughAre() {
    runs("False");
    budget(0, 1, 1);
    assertThat(evict()).isInstanceOf(Answer.Done.class);
    assertThat(world.find(PODS, "default/web")).isEmpty();
  }

  @Test
  void whoDoesNotRunYetDisruptsNobody() {
    assertThat(evict()).isInstanceOf(Answer.Done.class);
  }

  @Test
  void twoBudgetsForOnePodAreOneTooMany() {
    runs("True");
    world.with(DISRUPTION_BUDGETS, vary(BUDGET, "name: b", "name: c"));
    var refusal = refusal(evict());
    assertThat(refusal.code()).isEqualTo(500);
    assertThat(refusal.message()).contains("more than one PodDisruptionBudget");
  }

  @Test
  void whoGoesLateSaysWhy() {
    world.merge(PODS, "default/web", "{metadata: {finalizers: [a.b/c]}}");
    evict();
    assertThat(world.get(PODS, "default/web").at("/status/conditions").toString())
        .contains("DisruptionTarget", "EvictionByEvictionAPI");
  }
}

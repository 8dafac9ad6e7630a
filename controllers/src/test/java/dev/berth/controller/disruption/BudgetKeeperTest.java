package dev.berth.controller.disruption;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a budget's status comes to say, as kube-controller-manager counts (API-118).
class BudgetKeeperTest {
  private static final Draft BUDGET =
      Draft.of(
          """
          apiVersion: policy/v1
          kind: PodDisruptionBudget
          metadata: {namespace: shop, name: guard, generation: 3}
          spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
          status: {currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, disruptionsAllowed: 1,
            observedGeneration: 3, conditions: [{type: DisruptionAllowed, status: "True",
            observedGeneration: 3, reason: SufficientPods, message: "",
            lastTransitionTime: "2026-11-21T10:00:00Z"}]}
          """);
  private static final String ENOUGH = condition("True", "SufficientPods", "");
  private static final String FEW = condition("False", "InsufficientPods", "");
  private static final Draft ONE = web("one");
  private static final Draft TWO = web("two");

  /// All is counted: one of two pods may go.
  private static final World WANTED = World.of(BUDGET, ONE, TWO);

  static final List<Rule> rules =
      List.of(
          rule("API-118", "what is counted already is not written again")
              .given(WANTED)
              .then(new Settled()),
          rule("API-118", "a new budget is counted, and whoever reads it knows that it was")
              .given(WANTED.with(BUDGET.without("status")))
              .then(
                  tell(
                      counts(2, 1, 2, 1)
                          + ", observedGeneration: 3, conditions: ["
                          + ENOUGH
                          + "]")),
          rule("API-118", "a pod that is not ready leaves nothing to spare")
              .given(WANTED.with(TWO.set("status.conditions", "[]")))
              .then(tell("currentHealthy: 1, disruptionsAllowed: 0, conditions: [" + FEW + "]")),
          rule("API-118", "a pod that is going is not healthy, and still expected")
              .given(WANTED.with(TWO.deleting()))
              .then(tell("currentHealthy: 1, disruptionsAllowed: 0, conditions: [" + FEW + "]")),
          rule("API-118", "pods of other namespaces and labels are not counted")
              .given(
                  WANTED.with(
                      web("far").set("metadata.namespace", "street"),
                      web("other").label("app", "x")))
              .then(new Settled()),
          rule("API-118", "a pod that was let go a minute ago counts as gone")
              .given(WANTED.with(disrupted("two", "2026-11-21T11:59:00Z")))
              .then(tell("currentHealthy: 1, disruptionsAllowed: 0, conditions: [" + FEW + "]")),
          rule("API-118", "a pod that was let go and is still there counts again, and it is told")
              .given(WANTED.with(disrupted("two", "2026-11-21T11:57:00Z")))
              .then(
                  tell(
                      "disruptedPods: {two: null}",
                      Notice.warning(
                          TWO.as(Kinds.POD).ref(),
                          "NotDeleted",
                          "Pod was expected by PDB shop/guard to be deleted but it wasn't"))),
          rule("API-118", "a pod that has gone is forgotten")
              .given(WANTED.with(disrupted("three", "2026-11-21T11:59:00Z")))
              .then(tell("disruptedPods: {three: null}")),
          rule("API-118", "a budget without pods is said to be so")
              .given(
                  World.of(
                      BUDGET.set(
                          "status",
                          "{%s, observedGeneration: 3, conditions: [%s]}"
                              .formatted(counts(0, 1, 0, 0), FEW))))
              .then(
                  Settled.but(
                      Notice.normal(
                          BUDGET.as(Budget.KIND).ref(), "NoPods", "No matching pods found"))),
          rule("API-118", "of pods that nobody keeps no part can be counted")
              .given(WANTED.with(BUDGET.set("spec", spec("maxUnavailable: 1"))))
              .then(
                  tell(
                      "desiredHealthy: 0, expectedPods: 0, disruptionsAllowed: 0, conditions: ["
                          + FEW
                          + "]")),
          rule(
                  "API-118",
                  "keepers say how many there are to be, each once, a Deployment for its sets")
              .given(
                  WANTED.with(
                      BUDGET.set("spec", spec("maxUnavailable: 30%")),
                      ownedBy(ONE, "ReplicaSet", "rs"),
                      ownedBy(TWO, "ReplicaSet", "rs"),
                      ownedBy(workload("ReplicaSet", "rs", 1), "Deployment", "web"),
                      workload("Deployment", "web", 4)))
              .then(
                  tell(
                      "desiredHealthy: 2, expectedPods: 4, disruptionsAllowed: 0, conditions: ["
                          + FEW
                          + "]")),
          rule("API-118", "parts are rounded up")
              .given(
                  WANTED.with(
                      BUDGET.set("spec", spec("minAvailable: 50%")),
                      ownedBy(ONE, "StatefulSet", "db"),
                      ownedBy(TWO, "StatefulSet", "db"),
                      workload("StatefulSet", "db", 3)))
              .then(
                  tell(
                      "desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 0, conditions: ["
                          + FEW
                          + "]")),
          rule("API-118", "nothing may go while the keeper of a pod is not there")
              .given(
                  WANTED.with(
                      BUDGET.set("spec", spec("maxUnavailable: 1")),
                      ownedBy(TWO, "StatefulSet", "db")))
              .then(
                  tell(
                      "disruptionsAllowed: 0, conditions: ["
                          + condition(
                              "False", "SyncFailed", "found no controllers for pod \\\"two\\\"")
                          + "]")));

  private static Draft web(String name) {
    return Draft.pod(name)
        .label("app", "web")
        .set("status.conditions", "[{type: Ready, status: 'True'}]");
  }

  private static Draft disrupted(String pod, String since) {
    return BUDGET.set("status.disruptedPods", "{%s: '%s'}".formatted(pod, since));
  }

  private static String spec(String share) {
    return "{%s, selector: {matchLabels: {app: web}}}".formatted(share);
  }

  private static Draft workload(String kind, String name, int replicas) {
    return Draft.of(
        "{apiVersion: apps/v1, kind: %s, metadata: {namespace: shop, name: %s}, spec: {replicas: %d}}"
            .formatted(kind, name, replicas));
  }

  private static Draft ownedBy(Draft object, String kind, String owner) {
    return object.set(
        "metadata.ownerReferences",
        "[{apiVersion: apps/v1, kind: %s, name: %s, uid: uid-%2$s, controller: true}]"
            .formatted(kind, owner));
  }

  private static String counts(int healthy, int desired, int expected, int allowed) {
    return "currentHealthy: %d, desiredHealthy: %d, expectedPods: %d, disruptionsAllowed: %d"
        .formatted(healthy, desired, expected, allowed);
  }

  private static String condition(String status, String reason, String message) {
    return "{type: DisruptionAllowed, status: '%s', observedGeneration: 3,".formatted(status)
        + " lastTransitionTime: '%s', reason: %s, message: \"%s\"}"
            .formatted(Rule.NOW, reason, message);
  }

  private static Step tell(String status, Notice... notices) {
    return act(new TellBudget(BUDGET.revision(), yaml("{" + status + "}"), List.of(notices)));
  }

  private static JsonNode yaml(String text) {
    try {
      return new YAMLMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS).readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check()
        .accept(Rule.decide(new BudgetKeeper(), rule.world(), ObjectKey.of("shop", "guard")));
  }

  /// Though nothing changes, a pod that stays is overdue some time.
  @Test
  void looksAgainWhenALetGoPodIsOverdue() {
    var budget =
        disrupted("two", "2026-11-21T11:59:00Z")
            .set("status.currentHealthy", "1")
            .set("status.disruptionsAllowed", "0")
            .set("status.conditions", "[" + FEW + "]");
    var step = Rule.decide(new BudgetKeeper(), WANTED.with(budget), ObjectKey.of("shop", "guard"));
    assertThat(step)
        .isEqualTo(new Settled().lookAgainAt(Instant.parse("2026-11-21T12:01:00.001Z")));
  }
}

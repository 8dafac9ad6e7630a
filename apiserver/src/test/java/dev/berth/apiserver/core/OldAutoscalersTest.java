package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.StoredResources.AUTOSCALERS;
import static dev.berth.kube.object.StoredResources.OLD_AUTOSCALERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-01: autoscaling/v1 shows the autoscalers of v2, and takes them back without loss.
class OldAutoscalersTest {
  private static final String OLD =
      "{metadata: {name: h, namespace: default}, spec: {maxReplicas: 3,"
          + " targetCPUUtilizationPercentage: 60, scaleTargetRef: {kind: Deployment, name: web}}}";
  private static final String NEW =
      """
      metadata: {name: h, namespace: default, annotations: {a: b}}
      spec:
        maxReplicas: 3
        scaleTargetRef: {kind: Deployment, name: web}
        behavior: {scaleDown: {stabilizationWindowSeconds: 7}}
        metrics:
        - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}
        - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}
      """;

  static final List<CoreRule> rules =
      List.of(
          rule("API-01", "an old autoscaler is a new one with one metric")
              .given(world -> world.with(OLD_AUTOSCALERS, OLD))
              .when(world -> world.merge(AUTOSCALERS, "default/h", "{}"))
              .shows(
                  "{apiVersion: autoscaling/v2, metadata: {generation: 1}, spec: {minReplicas: 1,"
                      + " targetCPUUtilizationPercentage: null, metrics: [{type: Resource,"
                      + " resource: {name: cpu, target: {type: Utilization, averageUtilization:"
                      + " 60}}}]}}"),
          rule("API-01", "without a target it is four fifths")
              .when(world ->
                  world.create(
                      OLD_AUTOSCALERS, OLD.replace("targetCPUUtilizationPercentage: 60,", "")))
              .shows("spec: {targetCPUUtilizationPercentage: 80}"),
          rule("API-01", "a new one shows its processor, and keeps the rest beside")
              .given(world -> world.with(AUTOSCALERS, NEW))
              .when(world -> world.merge(OLD_AUTOSCALERS, "default/h", "{}"))
              .shows(
                  "{apiVersion: autoscaling/v1, spec: {targetCPUUtilizationPercentage: 50, metrics:"
                      + " null, behavior: null, maxReplicas: 3}}"),
          rule("API-01", "an old one is checked as such")
              .when(world ->
                  world.create(
                      OLD_AUTOSCALERS,
                      OLD.replace(
                          "targetCPUUtilizationPercentage: 60",
                          "targetCPUUtilizationPercentage: 0")))
              .invalid(
                  "spec.targetCPUUtilizationPercentage: Invalid value: 0: must be greater than or"
                      + " equal to 1"));

  @ParameterizedTest
  @FieldSource("rules")
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void whoWritesAnOldOneBackLosesNothing() {
    var world = new World().with(AUTOSCALERS, NEW);
    var before = world.get(AUTOSCALERS, "default/h").deepCopy();
    var answer =
        world.ask(
            new Request.Change(
                OLD_AUTOSCALERS,
                ObjectKey.of("default", "h"),
                Request.Part.MAIN,
                Patch.merge(World.tree("{spec: {maxReplicas: 4}}"))));
    assertThat(CoreRule.object(answer).at("/metadata/annotations/a").asText()).isEqualTo("b");
    var after = world.get(AUTOSCALERS, "default/h");
    assertThat(after.at("/spec/maxReplicas").asInt()).isEqualTo(4);
    assertThat(after.at("/spec/behavior")).isEqualTo(before.at("/spec/behavior"));
    assertThat(after.at("/spec/metrics"))
        .containsExactlyInAnyOrderElementsOf(before.at("/spec/metrics"));
    assertThat(after.at("/metadata/annotations")).isEqualTo(before.at("/metadata/annotations"));
  }

  /// What somebody has put there is no reason for a 500.
  @Test
  void annotationsThatAreNoMetricsStayAnnotations() {
    for (var text : List.of("no JSON", "{}", "[1]", "\"x\"", "[[]]")) {
      var world = new World();
      var odd = World.yaml(OLD);
      odd.withObject("metadata")
          .withObject("annotations")
          .put("autoscaling.alpha.kubernetes.io/metrics", text);
      world.ask(new Request.Create(OLD_AUTOSCALERS, "default", odd));
      var stored = world.get(AUTOSCALERS, "default/h");
      assertThat(stored.at("/metadata/annotations")).hasSize(1);
      assertThat(stored.at("/spec/metrics")).hasSize(1);
    }
  }
}

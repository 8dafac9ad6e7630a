package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.time.Instant;
import java.util.List;

/// HorizontalPodAutoscalers.
class AutoscalerRules implements Rules {
  static final int DEFAULT_PERCENT = 80;

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public List<String> quantities() {
    return List.of(
        "spec.metrics.*.resource.target.averageValue",
        "spec.metrics.*.containerResource.target.averageValue",
        "spec.metrics.*.pods.target.averageValue",
        "spec.metrics.*.object.target.value",
        "spec.metrics.*.object.target.averageValue",
        "spec.metrics.*.external.target.value",
        "spec.metrics.*.external.target.averageValue");
  }

  @Override
  public void setDefaults(ObjectNode scaler) {
    var spec = Trees.objectAt(scaler, "spec");
    Trees.setDefault(spec, "minReplicas", 1);
    if (spec.path("metrics").isEmpty())
      spec.putArray("metrics")
          .addObject()
          .put("type", "Resource")
          .putObject("resource")
          .put("name", "cpu")
          .putObject("target")
          .put("type", "Utilization")
          .put("averageUtilization", DEFAULT_PERCENT);
    if (!(spec.get("behavior") instanceof ObjectNode behavior)) return;
    var up = Trees.objectAt(behavior, "scaleUp");
    Trees.setDefault(up, "stabilizationWindowSeconds", 0);
    setPolicies(up, 4);
    setPolicies(Trees.objectAt(behavior, "scaleDown"), 0);
  }

  /// @param pods that may come at once; 0: any number
  private static void setPolicies(ObjectNode rules, int pods) {
    Trees.setDefault(rules, "selectPolicy", "Max");
    if (rules.has("policies")) return;
    var policies = rules.putArray("policies");
    if (pods > 0) policies.add(policy("Pods", pods));
    policies.add(policy("Percent", 100));
  }

  private static ObjectNode policy(String type, int value) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("value", value)
        .put("periodSeconds", 15);
  }

  @Override
  public void start(ObjectNode scaler, Instant now) {
    scaler.putObject("status").put("desiredReplicas", 0);
  }

  @Override
  public void check(Field scaler) {
    var spec = scaler.at("spec");
    spec.at("minReplicas").atLeast(1);
    var most = spec.at("maxReplicas");
    if (most.node().asLong() < 1) most.invalid("must be greater than 0");
    if (most.node().asLong() < spec.at("minReplicas").node().asLong())
      most.invalid("must be greater than or equal to `minReplicas`");
    spec.at("scaleTargetRef").at("kind").demand();
    spec.at("scaleTargetRef").at("name").demand();
    for (var metric : spec.at("metrics").elements())
      if (metric.at("type").demand())
        metric
            .at("type")
            .demandOneOf("ContainerResource", "External", "Object", "Pods", "Resource");
  }
}

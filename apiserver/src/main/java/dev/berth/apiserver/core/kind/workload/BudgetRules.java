package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;
import java.time.Instant;

/// PodDisruptionBudgets.
final class BudgetRules implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void start(ObjectNode budget, Instant now) {
    budget
        .putObject("status")
        .put("disruptionsAllowed", 0)
        .put("currentHealthy", 0)
        .put("desiredHealthy", 0)
        .put("expectedPods", 0);
  }

  @Override
  public void check(Field budget) {
    var spec = budget.at("spec");
    if (spec.at("minAvailable").isSet() && spec.at("maxUnavailable").isSet())
      spec.invalid("minAvailable and maxUnavailable cannot be both set");
    WorkloadRules.checkPart(spec.at("minAvailable"));
    WorkloadRules.checkPart(spec.at("maxUnavailable"));
    Selectors.check(spec.at("selector"));
    var unhealthy = spec.at("unhealthyPodEvictionPolicy");
    if (unhealthy.isSet()) unhealthy.demandOneOf("AlwaysAllow", "IfHealthyBudget");
  }

  @Override
  public void checkStatus(Field budget) {
    WorkloadRules.checkCounts(
        budget.at("status"),
        "disruptionsAllowed",
        "currentHealthy",
        "desiredHealthy",
        "expectedPods");
  }
}

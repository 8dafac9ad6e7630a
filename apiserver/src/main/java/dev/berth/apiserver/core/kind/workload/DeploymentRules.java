package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.util.List;

/// Deployments.
final class DeploymentRules implements WorkloadRules {
  @Override
  public List<String> countedMetadata() {
    return List.of("annotations");
  }

  @Override
  public void setDefaults(ObjectNode deployment) {
    var spec = WorkloadRules.specOf(deployment);
    Trees.setDefault(spec, "replicas", 1);
    Trees.setDefault(spec, "revisionHistoryLimit", 10);
    Trees.setDefault(spec, "progressDeadlineSeconds", 600);
    var strategy = Trees.objectAt(spec, "strategy");
    Trees.setDefault(strategy, "type", "RollingUpdate");
    if (!strategy.path("type").asText().equals("RollingUpdate")) return;
    var rolling = Trees.objectAt(strategy, "rollingUpdate");
    WorkloadRules.setPart(rolling, "maxUnavailable", "25%");
    WorkloadRules.setPart(rolling, "maxSurge", "25%");
  }

  @Override
  public void check(Field deployment) {
    var spec = deployment.at("spec");
    WorkloadRules.checkCounts(
        spec, "replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds");
    WorkloadRules.checkSelector(spec, "deployment");
    PodTemplates.check(spec.at("template"), "Always");
    checkStrategy(spec.at("strategy"));
    var deadline = spec.at("progressDeadlineSeconds");
    if (deadline.node().asLong() <= spec.at("minReadySeconds").node().asLong())
      deadline.invalid("must be greater than minReadySeconds");
  }

  private static void checkStrategy(Field strategy) {
    var rolling = strategy.at("rollingUpdate");
    switch (strategy.at("type").text()) {
      case "Recreate" -> {
        if (rolling.isSet())
          rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
      }
      case "RollingUpdate" -> {
        WorkloadRules.checkPart(rolling.at("maxUnavailable"));
        WorkloadRules.checkPart(rolling.at("maxSurge"));
        if (WorkloadRules.isZero(rolling.at("maxUnavailable"))
            && WorkloadRules.isZero(rolling.at("maxSurge")))
          rolling.at("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0");
      }
      default -> strategy.at("type").notSupported("Recreate", "RollingUpdate");
    }
  }

  @Override
  public void checkChange(Field deployment, Field stored) {
    WorkloadRules.checkImmutable(deployment, stored, "selector");
  }
}

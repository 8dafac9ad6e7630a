package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;

/// ReplicaSets.
final class ReplicaSetRules implements WorkloadRules {
  @Override
  public void setDefaults(ObjectNode set) {
    Trees.setDefault(WorkloadRules.specOf(set), "replicas", 1);
  }

  @Override
  public void start(ObjectNode set, Instant now) {
    set.putObject("status").put("replicas", 0);
  }

  @Override
  public void check(Field set) {
    var spec = set.at("spec");
    WorkloadRules.checkCounts(spec, "replicas", "minReadySeconds");
    WorkloadRules.checkSelector(spec, "deployment"); // so upstream says it
    PodTemplates.check(spec.at("template"), "Always");
  }

  @Override
  public void checkChange(Field set, Field stored) {
    WorkloadRules.checkImmutable(set, stored, "selector");
  }

  @Override
  public void checkStatus(Field set) {
    var status = set.at("status");
    WorkloadRules.checkCounts(
        status,
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration");
    for (var field : new String[] {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"})
      if (status.at(field).node().asLong() > status.at("replicas").node().asLong())
        status.at(field).invalid("cannot be greater than status.replicas");
  }
}

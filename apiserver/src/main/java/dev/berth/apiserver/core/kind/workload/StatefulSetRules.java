package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// StatefulSets.
final class StatefulSetRules implements WorkloadRules {
  @Override
  public List<String> quantities() {
    return Stream.concat(
            WorkloadRules.super.quantities().stream(),
            Stream.of(
                "spec.volumeClaimTemplates.*.spec.resources.requests.*",
                "spec.volumeClaimTemplates.*.spec.resources.limits.*"))
        .toList();
  }

  @Override
  public void setDefaults(ObjectNode set) {
    var spec = WorkloadRules.specOf(set);
    Trees.setDefault(spec, "replicas", 1);
    Trees.setDefault(spec, "revisionHistoryLimit", 10);
    Trees.setDefault(spec, "podManagementPolicy", "OrderedReady");
    setStrategy(Trees.objectAt(spec, "updateStrategy"));
    var retention = Trees.objectAt(spec, "persistentVolumeClaimRetentionPolicy");
    Trees.setDefault(retention, "whenDeleted", "Retain");
    Trees.setDefault(retention, "whenScaled", "Retain");
    for (var each : spec.path("volumeClaimTemplates"))
      if (each instanceof ObjectNode claim) setClaim(claim);
  }

  private static void setStrategy(ObjectNode strategy) {
    if (strategy.path("type").asText().isEmpty()) {
      strategy.put("type", "RollingUpdate");
      Trees.objectAt(strategy, "rollingUpdate");
    }
    if (strategy.path("type").asText().equals("RollingUpdate")
        && strategy.get("rollingUpdate") instanceof ObjectNode rolling) {
      Trees.setDefault(rolling, "partition", 0);
      Trees.setDefault(rolling, "maxUnavailable", 1);
    }
  }

  private static void setClaim(ObjectNode claim) {
    Trees.setDefault(claim, "apiVersion", "v1");
    Trees.setDefault(claim, "kind", "PersistentVolumeClaim");
    Trees.setDefault(Trees.objectAt(claim, "spec"), "volumeMode", "Filesystem");
    Trees.setDefault(Trees.objectAt(claim, "status"), "phase", "Pending");
  }

  @Override
  public void start(ObjectNode set, Instant now) {
    set.putObject("status").put("replicas", 0).put("availableReplicas", 0);
  }

  @Override
  public void check(Field set) {
    var spec = set.at("spec");
    spec.at("podManagementPolicy").demandOneOf("OrderedReady", "Parallel");
    var strategy = spec.at("updateStrategy");
    var rolling = strategy.at("rollingUpdate");
    strategy.at("type").demandOneOf("OnDelete", "RollingUpdate");
    if (strategy.at("type").is("OnDelete") && rolling.isSet())
      rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
    rolling.at("partition").atLeast(0);
    var retention = spec.at("persistentVolumeClaimRetentionPolicy");
    retention.at("whenDeleted").demandOneOf("Delete", "Retain");
    retention.at("whenScaled").demandOneOf("Delete", "Retain");
    WorkloadRules.checkCounts(spec, "replicas", "minReadySeconds", "revisionHistoryLimit");
    spec.at("ordinals").at("start").atLeast(0);
    WorkloadRules.checkSelector(spec, "statefulset");
    PodTemplates.check(withClaims(spec), "Always");
  }

  /// The template as a pod will have it: with a volume for each claim.
  private static Field withClaims(Field spec) {
    var template = spec.at("template");
    if (!(template.node().deepCopy() instanceof ObjectNode copy)) return template;
    if (copy.get("spec") instanceof ObjectNode pod)
      for (var claim : spec.at("volumeClaimTemplates").elements()) {
        var name = claim.at("metadata").at("name").text();
        if (!has(pod, name))
          pod.withArray("volumes").addObject().put("name", name).putObject("emptyDir");
      }
    return template.standingAs(copy);
  }

  private static boolean has(ObjectNode pod, String volume) {
    for (var each : pod.path("volumes")) if (each.path("name").asText().equals(volume)) return true;
    return pod.has("volumes") && !pod.path("volumes").isArray();
  }

  @Override
  public void checkChange(Field set, Field stored) {
    WorkloadRules.checkImmutable(
        set, stored, "selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy");
  }
}

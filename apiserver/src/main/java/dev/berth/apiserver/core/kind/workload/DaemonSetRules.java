package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;

/// DaemonSets. How often the template has changed stands in an annotation, as it did when that was
/// a field.
final class DaemonSetRules implements WorkloadRules {
  private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  @Override
  public void setDefaults(ObjectNode set) {
    var annotations = Trees.objectAt(Trees.objectAt(set, "metadata"), "annotations");
    Trees.setDefault(annotations, TEMPLATE_GENERATION, "0");
    var spec = WorkloadRules.specOf(set);
    Trees.setDefault(spec, "revisionHistoryLimit", 10);
    var strategy = Trees.objectAt(spec, "updateStrategy");
    Trees.setDefault(strategy, "type", "RollingUpdate");
    if (!strategy.path("type").asText().equals("RollingUpdate")) return;
    var rolling = Trees.objectAt(strategy, "rollingUpdate");
    Trees.setDefault(rolling, "maxUnavailable", 1);
    Trees.setDefault(rolling, "maxSurge", 0);
  }

  @Override
  public void start(ObjectNode set, Instant now) {
    set.putObject("status")
        .put("currentNumberScheduled", 0)
        .put("numberMisscheduled", 0)
        .put("desiredNumberScheduled", 0)
        .put("numberReady", 0);
    setTemplateGeneration(set, 1);
  }

  @Override
  public void change(ObjectNode set, ObjectNode stored) {
    var before = stored.path("spec").path("template");
    boolean same = Trees.same(set.path("spec").path("template"), before);
    var annotations = stored.path("metadata").path("annotations");
    long generation = annotations.path(TEMPLATE_GENERATION).asLong(1);
    setTemplateGeneration(set, same ? generation : generation + 1);
  }

  private static void setTemplateGeneration(ObjectNode set, long generation) {
    Trees.objectAt(Trees.objectAt(set, "metadata"), "annotations")
        .put(TEMPLATE_GENERATION, Long.toString(generation));
  }

  @Override
  public void check(Field set) {
    var spec = set.at("spec");
    WorkloadRules.checkSelector(spec, "daemonset");
    PodTemplates.check(spec.at("template"), "Always");
    WorkloadRules.checkCounts(spec, "minReadySeconds", "revisionHistoryLimit");
    var strategy = spec.at("updateStrategy");
    strategy.at("type").demandOneOf("OnDelete", "RollingUpdate");
    if (!strategy.at("type").is("RollingUpdate")) return;
    var rolling = strategy.at("rollingUpdate");
    WorkloadRules.checkPart(rolling.at("maxUnavailable"));
    WorkloadRules.checkPart(rolling.at("maxSurge"));
    boolean goes = !WorkloadRules.isZero(rolling.at("maxUnavailable"));
    boolean comes = !WorkloadRules.isZero(rolling.at("maxSurge"));
    if (goes && comes)
      rolling.at("maxSurge").invalid("may not be set when maxUnavailable is non-zero");
    if (!goes && !comes) rolling.at("maxUnavailable").required("cannot be 0 when maxSurge is 0");
  }

  @Override
  public void checkChange(Field set, Field stored) {
    WorkloadRules.checkImmutable(set, stored, "selector");
  }
}

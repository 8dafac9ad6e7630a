package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Selectors;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// Jobs. A job finds its pods by its own uid, unless its author says how.
final class JobRules implements WorkloadRules {
  private static final String UID = "batch.kubernetes.io/controller-uid";
  private static final String NAME = "batch.kubernetes.io/job-name";

  @Override
  public String propagation() {
    return "Orphan";
  }

  @Override
  public void setDefaults(ObjectNode job) {
    setDefaults(Trees.objectAt(job, "metadata"), WorkloadRules.specOf(job));
  }

  /// @param meta of the job; its labels are those of its pods if it has none
  private static void setDefaults(ObjectNode meta, ObjectNode spec) {
    if (!spec.has("completions") && !spec.has("parallelism")) spec.put("completions", 1);
    Trees.setDefault(spec, "parallelism", 1);
    boolean counted = spec.has("backoffLimitPerIndex");
    Trees.setDefault(spec, "backoffLimit", counted ? Integer.MAX_VALUE : 6);
    var labels = spec.path("template").path("metadata").path("labels");
    if (!labels.isEmpty() && meta.path("labels").isEmpty()) meta.set("labels", labels.deepCopy());
    Trees.setDefault(spec, "completionMode", "NonIndexed");
    Trees.setDefault(spec, "suspend", false);
    Trees.setDefault(
        spec,
        "podReplacementPolicy",
        spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    Trees.setDefault(spec, "manualSelector", false);
  }

  @Override
  public void start(ObjectNode job, Instant now) {
    job.putObject("status");
    var spec = Trees.objectAt(job, "spec");
    if (spec.path("manualSelector").asBoolean()) return;
    var uid = Json.text(job.path("metadata"), "uid");
    var name = Json.text(job.path("metadata"), "name");
    var labels =
        Trees.objectAt(Trees.objectAt(Trees.objectAt(spec, "template"), "metadata"), "labels");
    labels.put(UID, uid).put(NAME, name);
    labels.put("controller-uid", uid).put("job-name", name);
    var selector = Trees.objectAt(spec, "selector");
    Trees.objectAt(selector, "matchLabels").put(UID, uid);
  }

  @Override
  public void check(Field job) {
    checkSpec(job.at("spec"));
    checkSelector(job.at("spec"));
  }

  /// What is wrong with a job, or with a template for one.
  static void checkSpec(Field spec) {
    WorkloadRules.checkCounts(
        spec,
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
        "ttlSecondsAfterFinished");
    var mode = spec.at("completionMode");
    mode.demandOneOf("Indexed", "NonIndexed");
    if (mode.is("Indexed") && !spec.at("completions").isSet())
      spec.at("completions").required("when completion mode is Indexed");
    spec.at("podReplacementPolicy").demandOneOf("Failed", "TerminatingOrFailed");
    PodTemplates.check(spec.at("template"), "Never", "OnFailure");
  }

  private static void checkSelector(Field spec) {
    var selector = spec.at("selector");
    if (!selector.isSet()) {
      selector.required();
      return;
    }
    int before = spec.errors().size();
    Selectors.check(selector);
    if (spec.errors().size() == before) WorkloadRules.checkMatches(selector, spec.at("template"));
  }

  @Override
  public void checkChange(Field job, Field stored) {
    if (!job.at("spec").at("completionMode").is("Indexed"))
      WorkloadRules.checkImmutable(job, stored, "completions");
    if (!waits(stored)) WorkloadRules.checkImmutable(job, stored, "template");
    WorkloadRules.checkImmutable(
        job,
        stored,
        "selector",
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy");
  }

  /// Where its pods go may be said until the first of them is made.
  private static boolean waits(Field stored) {
    return stored.at("spec").at("suspend").node().asBoolean()
        && !stored.at("status").at("startTime").isSet();
  }

  /// Fills in a template for jobs.
  static void setTemplateDefaults(ObjectNode spec) {
    var template = Trees.objectAt(spec, "jobTemplate");
    Trees.objectAt(template, "metadata");
    PodTemplates.setDefaults(Trees.objectAt(template, "spec"), "template");
  }
}

package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import java.util.List;

/// What pods are made by, in the kinds that make pods.
public final class PodTemplates {
  private static final List<String> QUANTITIES =
      List.of(
          "containers.*.resources.requests.*",
          "containers.*.resources.limits.*",
          "initContainers.*.resources.requests.*",
          "initContainers.*.resources.limits.*",
          "overhead.*",
          "resources.requests.*",
          "resources.limits.*",
          "volumes.*.emptyDir.sizeLimit",
          "volumes.*.ephemeral.volumeClaimTemplate.spec.resources.requests.*");

  private PodTemplates() {}

  /// Where a pod's specification has quantities.
  ///
  /// @param spec path of the specification, such as `spec.template.spec`
  public static List<String> quantities(String spec) {
    return QUANTITIES.stream().map(path -> spec + "." + path).toList();
  }

  /// Fills in the template under `field`.
  public static void setDefaults(ObjectNode spec, String field) {
    var template = Trees.objectAt(spec, field);
    Trees.objectAt(template, "metadata");
    PodDefaults.setTemplate(Trees.objectAt(template, "spec"));
  }

  /// What is wrong with a template.
  ///
  /// @param policies the restart policies that its pods may have
  public static void check(Field template, String... policies) {
    checkMetadata(template.at("metadata"));
    var spec = template.at("spec");
    PodRules.checkSpec("", spec);
    var policy = spec.at("restartPolicy");
    if (policy.isOneOf("Always", "OnFailure", "Never")) policy.demandOneOf(policies);
    if (!spec.at("ephemeralContainers").isEmpty())
      spec.at("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
  }

  private static void checkMetadata(Field meta) {
    var labels = meta.at("labels");
    for (var key : labels.names()) {
      Names.QUALIFIED.checkKey(labels, key);
      Names.LABEL_VALUE.check(labels.key(key).namedAs(labels.path()));
    }
    var annotations = meta.at("annotations");
    for (var key : annotations.names()) Names.QUALIFIED.checkKey(annotations, key);
  }
}

package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// ReplicationControllers, whose selector is a plain map of labels.
final class ControllerRules implements WorkloadRules {
  @Override
  public String propagation() {
    return "Orphan";
  }

  @Override
  public void setDefaults(ObjectNode controller) {
    var spec = WorkloadRules.specOf(controller);
    Trees.setDefault(spec, "replicas", 1);
    var labels = spec.path("template").path("metadata").path("labels");
    if (labels.isEmpty()) return;
    if (spec.path("selector").isEmpty()) spec.set("selector", labels.deepCopy());
    var meta = Trees.objectAt(controller, "metadata");
    if (meta.path("labels").isEmpty()) meta.set("labels", labels.deepCopy());
  }

  @Override
  public void start(ObjectNode controller, Instant now) {
    controller.putObject("status").put("replicas", 0);
  }

  @Override
  public void check(Field controller) {
    var spec = controller.at("spec");
    WorkloadRules.checkCounts(spec, "replicas", "minReadySeconds");
    var selector = spec.at("selector");
    if (selector.demand()) checkSelector(selector, spec.at("template"));
    PodTemplates.check(spec.at("template"), "Always");
  }

  private static void checkSelector(Field selector, Field template) {
    var labels = template.at("metadata").at("labels");
    var there = Json.texts(labels.node());
    for (var key : selector.names()) {
      Names.QUALIFIED.checkKey(selector, key);
      if (selector.key(key).text().equals(there.get(key))) continue;
      labels.invalid("`selector` does not match template `labels`");
      return;
    }
  }
}

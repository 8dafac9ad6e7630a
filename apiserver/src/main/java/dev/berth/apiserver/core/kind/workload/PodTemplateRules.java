package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// PodTemplates that stand alone.
final class PodTemplateRules implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public List<String> quantities() {
    return PodTemplates.quantities("template.spec");
  }

  @Override
  public void setDefaults(ObjectNode object) {
    PodTemplates.setDefaults(object, "template");
  }

  @Override
  public void check(Field object) {
    PodTemplates.check(object.at("template"), "Always", "OnFailure", "Never");
  }
}

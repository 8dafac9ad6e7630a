package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.util.List;

/// HorizontalPodAutoscalers of autoscaling/v1, which know of one metric: the processor.
final class OldAutoscalerRules extends AutoscalerRules {
  @Override
  public List<String> quantities() {
    return List.of();
  }

  @Override
  public void setDefaults(ObjectNode scaler) {
    var spec = Trees.objectAt(scaler, "spec");
    Trees.setDefault(spec, "minReplicas", 1);
    boolean others =
        scaler.path("metadata").path("annotations").has(OldAutoscalers.Part.METRICS.annotation());
    if (!others) Trees.setDefault(spec, OldAutoscalers.PERCENT, DEFAULT_PERCENT);
  }

  @Override
  public void check(Field scaler) {
    super.check(scaler);
    scaler.at("spec").at(OldAutoscalers.PERCENT).atLeast(1);
  }
}

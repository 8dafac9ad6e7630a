package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;

/// DefaultTolerationSeconds: a pod stays five minutes on a node that is not ready or out of reach.
final class DefaultTolerations implements Plugin {
  private static final List<String> TAINTS =
      List.of(Labels.NOT_READY_TAINT, Labels.UNREACHABLE_TAINT);
  private static final int SECONDS = 300;

  @Override
  public void complete(Attempt attempt) {
    if (!attempt.creates(Resources.PODS)) return;
    if (!(attempt.object().get("spec") instanceof ObjectNode spec)) return;
    for (var taint : TAINTS) {
      if (tolerates(spec.path("tolerations"), taint)) continue;
      spec.withArray("tolerations")
          .addObject()
          .put("key", taint)
          .put("operator", "Exists")
          .put("effect", "NoExecute")
          .put("tolerationSeconds", SECONDS);
    }
  }

  private static boolean tolerates(JsonNode tolerations, String taint) {
    for (var each : tolerations) {
      var key = Json.text(each, "key");
      var effect = Json.text(each, "effect");
      if ((key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute")))
        return true;
    }
    return false;
  }
}

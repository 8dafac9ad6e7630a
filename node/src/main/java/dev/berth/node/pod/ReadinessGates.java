package dev.berth.node.pod;

import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.ArrayList;

/// Conditions that others set, without which a pod is not ready (`spec.readinessGates`).
final class ReadinessGates {
  private ReadinessGates() {}

  /// What keeps the pod from being ready, in upstream's words; empty: nothing.
  static String missing(Pod pod) {
    var missing = new ArrayList<String>();
    for (var gate : pod.spec().path("readinessGates")) {
      var type = Json.text(gate, "conditionType");
      var status = status(pod, type);
      if (status.isEmpty())
        missing.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
      else if (!status.equals("True"))
        missing.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(type, status));
    }
    return String.join(", ", missing);
  }

  private static String status(Pod pod, String type) {
    for (var condition : pod.status().path("conditions"))
      if (Json.text(condition, "type").equals(type)) return Json.text(condition, "status");
    return "";
  }
}

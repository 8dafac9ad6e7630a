package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.List;

/// How firmly a pod's containers are promised their share of the node.
public enum QualityOfService {
  GUARANTEED("Guaranteed"),
  BURSTABLE("Burstable"),
  BEST_EFFORT("BestEffort");

  private final String word;

  QualityOfService(String word) {
    this.word = word;
  }

  /// As a pod's status spells it.
  String word() {
    return word;
  }

  static QualityOfService of(JsonNode spec) {
    boolean any = false;
    boolean all = true;
    for (var list : List.of("containers", "initContainers"))
      for (var container : spec.path(list)) {
        var resources = container.path("resources");
        if (!resources.path("requests").isEmpty() || !resources.path("limits").isEmpty())
          any = true;
        for (var name : List.of("cpu", "memory")) if (!limited(resources, name)) all = false;
      }
    if (!any) return BEST_EFFORT;
    return all ? GUARANTEED : BURSTABLE;
  }

  /// Whether there is a limit, and a request is as high.
  private static boolean limited(JsonNode resources, String name) {
    var limit = Json.quantity(resources.path("limits"), name);
    var request = Json.quantity(resources.path("requests"), name);
    return limit.isPresent() && (request.isEmpty() || request.equals(limit));
  }
}

package dev.berth.apiserver.core.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;

/// Which objects a quota is about.
final class Scopes {
  private Scopes() {}

  /// Whether a quota is about that object: all of its scopes hold.
  static boolean hold(JsonNode quota, Resource resource, JsonNode object) {
    var spec = quota.path("spec");
    for (var scope : spec.path("scopes"))
      if (!holds(scope.asText(), "Exists", spec, resource, object)) return false;
    for (var each : spec.path("scopeSelector").path("matchExpressions"))
      if (!holds(
          Json.text(each, "scopeName"),
          Json.text(each, "operator"),
          each.path("values"),
          resource,
          object)) return false;
    return true;
  }

  private static boolean holds(
      String scope, String operator, JsonNode values, Resource resource, JsonNode object) {
    var spec = object.path("spec");
    if (scope.equals("VolumeAttributesClass"))
      return resource.equals(Resources.CLAIMS)
          && admits(operator, values, Json.text(spec, "volumeAttributesClassName"));
    if (!resource.equals(Resources.PODS)) return false;
    boolean ends = spec.has("activeDeadlineSeconds");
    boolean bestEffort = Json.text(object.path("status"), "qosClass").equals("BestEffort");
    return switch (scope) {
      case "Terminating" -> ends;
      case "NotTerminating" -> !ends;
      case "BestEffort" -> bestEffort;
      case "NotBestEffort" -> !bestEffort;
      case "PriorityClass" -> admits(operator, values, Json.text(spec, "priorityClassName"));
      default -> false;
    };
  }

  private static boolean admits(String operator, JsonNode values, String value) {
    boolean there = false;
    for (var each : values) if (each.asText().equals(value)) there = true;
    return switch (operator) {
      case "In" -> there;
      case "NotIn" -> !there;
      case "DoesNotExist" -> value.isEmpty();
      default -> !value.isEmpty();
    };
  }
}

package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.Locale;

/// What an autoscaler aims at: `cpu: 40%/80%, memory: <unknown>/1Gi`, and how many more there are.
final class Targets {
  private static final int MOST = 2;
  private static final String UNKNOWN = "<unknown>";

  private Targets() {}

  static String of(JsonNode autoscaler) {
    var metrics = autoscaler.at("/spec/metrics");
    if (metrics.isEmpty()) return Cells.NONE;
    var current = autoscaler.at("/status/currentMetrics");
    var list = new ArrayList<String>();
    for (int i = 0; i < Math.min(metrics.size(), MOST); i++)
      list.add(one(metrics.get(i), current.path(i)));
    var text = String.join(", ", list);
    int more = metrics.size() - MOST;
    return more > 0 ? text + " + " + more + " more..." : text;
  }

  private static String one(JsonNode metric, JsonNode current) {
    var type = Json.text(metric, "type");
    var field =
        type.isEmpty() ? "" : type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
    var of = metric.path(field);
    var target = of.path("target");
    var now = current.path(field).path("current");
    var text = value(target, now);
    return switch (field) {
      case "resource", "containerResource" -> Json.text(of, "name") + ": " + text;
      case "pods", "external", "object" -> text;
      default -> "<unknown type>";
    };
  }

  private static String value(JsonNode target, JsonNode now) {
    if (target.has("averageUtilization"))
      return (now.has("averageUtilization")
              ? now.path("averageUtilization").asText() + "%"
              : UNKNOWN)
          + "/"
          + target.path("averageUtilization").asText()
          + "%";
    if (target.has("averageValue"))
      return now.path("averageValue").asText(UNKNOWN)
          + "/"
          + target.path("averageValue").asText()
          + " (avg)";
    return now.path("value").asText(UNKNOWN) + "/" + target.path("value").asText();
  }
}

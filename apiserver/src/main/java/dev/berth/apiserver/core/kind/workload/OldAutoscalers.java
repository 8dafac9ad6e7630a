package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.kind.Conversion;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// Autoscalers of autoscaling/v1 are those of v2 (API-01). Their target for the processor stands in
/// a field of its own; what v1 has no field for is kept in annotations, under upstream's names and
/// as v2 has it, so that whoever writes a v1 back loses nothing.
public final class OldAutoscalers implements Conversion {
  static final String PERCENT = "targetCPUUtilizationPercentage";

  private static final String CURRENT_PERCENT = "currentCPUUtilizationPercentage";
  private static final ObjectMapper JSON = HeldJson.mapper().build();
  private static final List<String> SPEC = List.of("scaleTargetRef", "minReplicas", "maxReplicas");
  private static final List<String> STATUS =
      List.of("observedGeneration", "lastScaleTime", "currentReplicas", "desiredReplicas");

  /// What only v2 has a field for.
  enum Part {
    METRICS("spec", "metrics", "metrics"),
    BEHAVIOR("spec", "behavior", "behavior"),
    CURRENT("status", "currentMetrics", "current-metrics"),
    CONDITIONS("status", "conditions", "conditions");

    private final String where;
    private final String field;
    private final String suffix;

    Part(String where, String field, String suffix) {
      this.where = where;
      this.field = field;
      this.suffix = suffix;
    }

    String annotation() {
      return "autoscaling.alpha.kubernetes.io/" + suffix;
    }
  }

  @Override
  public ObjectNode show(ObjectNode stored) {
    var shown = begin(stored, StoredResources.OLD_AUTOSCALERS);
    for (var part : Part.values()) {
      var value = stored.path(part.where).path(part.field).deepCopy();
      if (value instanceof ArrayNode list) takeProcessor(part, list, shown);
      if (value.isEmpty()) continue;
      shown
          .withObject("metadata")
          .withObject("annotations")
          .put(part.annotation(), value.toString());
    }
    return shown;
  }

  @Override
  public ObjectNode store(ObjectNode shown) {
    var stored = begin(shown, StoredResources.AUTOSCALERS);
    addProcessor(shown.path("spec").path(PERCENT), "target", stored, Part.METRICS);
    addProcessor(shown.path("status").path(CURRENT_PERCENT), "current", stored, Part.CURRENT);
    for (var part : Part.values()) {
      var value = annotated(shown, part);
      if (value.isEmpty()) continue;
      var annotations = stored.withObject("metadata").withObject("annotations");
      annotations.remove(part.annotation());
      if (annotations.isEmpty()) stored.withObject("metadata").remove("annotations");
      var to = stored.withObject(part.where);
      if (value.get() instanceof ArrayNode list && to.get(part.field) instanceof ArrayNode known)
        known.addAll(list);
      else to.set(part.field, value.get());
    }
    return stored;
  }

  /// With what both versions call the same.
  private static ObjectNode begin(ObjectNode scaler, Resource as) {
    var begun = JsonNodeFactory.instance.objectNode();
    begun.put("kind", as.kind()).put("apiVersion", as.apiVersion());
    begun.set("metadata", scaler.path("metadata").deepCopy());
    copy(scaler, begun, "spec", SPEC);
    if (scaler.has("status")) copy(scaler, begun, "status", STATUS);
    return begun;
  }

  private static void copy(ObjectNode from, ObjectNode to, String part, List<String> fields) {
    var copied = to.putObject(part);
    for (var field : fields)
      if (from.path(part).has(field)) copied.set(field, from.path(part).get(field));
  }

  /// Takes the metric out for which v1 has a field.
  private static void takeProcessor(Part part, ArrayNode metrics, ObjectNode shown) {
    if (part != Part.METRICS && part != Part.CURRENT) return;
    var kind = part == Part.METRICS ? "target" : "current";
    for (int i = 0; i < metrics.size(); i++) {
      var percent = metrics.get(i).path("resource").path(kind).path("averageUtilization");
      if (!isProcessor(metrics.get(i)) || !percent.isInt()) continue;
      var field = part == Part.METRICS ? PERCENT : CURRENT_PERCENT;
      shown.withObject(part.where).put(field, percent.asInt());
      metrics.remove(i);
      return;
    }
  }

  private static boolean isProcessor(JsonNode metric) {
    return Json.text(metric, "type").equals("Resource")
        && Json.text(metric.path("resource"), "name").equals("cpu");
  }

  private static void addProcessor(JsonNode percent, String kind, ObjectNode to, Part part) {
    if (!percent.isInt()) return;
    var value =
        to.withObject(part.where)
            .putArray(part.field)
            .addObject()
            .put("type", "Resource")
            .putObject("resource")
            .put("name", "cpu")
            .putObject(kind);
    if (part == Part.METRICS) value.put("type", "Utilization");
    value.put("averageUtilization", percent.asInt());
  }

  /// @return empty: there is none, or it is not what it should be and stays an annotation
  private static Optional<JsonNode> annotated(ObjectNode shown, Part part) {
    var text = Json.text(shown.path("metadata").path("annotations"), part.annotation());
    if (text.isEmpty()) return Optional.empty();
    try {
      var value = JSON.readTree(text);
      boolean fits = part == Part.BEHAVIOR ? value.isObject() : value.isArray();
      return fits && isOfObjects(value) ? Optional.of(value) : Optional.empty();
    } catch (JsonProcessingException someText) {
      return Optional.empty();
    }
  }

  private static boolean isOfObjects(JsonNode value) {
    if (value.isObject()) return true;
    for (var each : value) if (!each.isObject()) return false;
    return true;
  }
}

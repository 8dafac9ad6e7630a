package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Where objects of a kind say how many they are to be, and how many there are (API-124).
///
/// @param wanted path of a whole number, such as `[spec, replicas]`
/// @param present path of a whole number
/// @param selector path of a text, or of a label selector; empty: there is none
public record ScalePaths(List<String> wanted, List<String> present, List<String> selector) {
  public ScalePaths {
    wanted = List.copyOf(wanted);
    present = List.copyOf(present);
    selector = List.copyOf(selector);
  }

  /// @param scale as the subresource stands in a definition
  public static Optional<ScalePaths> of(JsonNode scale) {
    if (!scale.isObject()) return Optional.empty();
    return Optional.of(
        new ScalePaths(
            steps(Json.text(scale, "specReplicasPath")),
            steps(Json.text(scale, "statusReplicasPath")),
            steps(Json.text(scale, "labelSelectorPath"))));
  }

  private static List<String> steps(String path) {
    return path.isEmpty() ? List.of() : List.of(path.replaceFirst("^\\.", "").split("\\.", -1));
  }

  /// `.spec.replicas`, as messages name it.
  public String name() {
    return "." + String.join(".", wanted);
  }

  /// How many the object is to be.
  ///
  /// @return missing: it does not say
  public JsonNode wanted(JsonNode object) {
    return at(object, wanted);
  }

  private static JsonNode at(JsonNode object, List<String> path) {
    var at = object;
    for (var step : path) at = at.path(step);
    return at;
  }

  /// The object as a Scale of `autoscaling/v1`.
  public ObjectNode show(ObjectNode object) {
    var scale = JsonNodeFactory.instance.objectNode();
    scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    var meta = scale.putObject("metadata");
    for (var field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp"))
      if (object.path("metadata").has(field)) meta.set(field, object.path("metadata").get(field));
    var spec = scale.putObject("spec");
    if (!wanted(object).isMissingNode()) spec.set("replicas", wanted(object));
    var status = scale.putObject("status");
    status.put("replicas", at(object, present).asInt());
    var labels = selector.isEmpty() ? "" : selector(at(object, selector));
    if (!labels.isEmpty()) status.put("selector", labels);
    return scale;
  }

  /// A selector as a text, in the order of its keys.
  private static String selector(JsonNode selector) {
    if (!selector.isObject()) return selector.asText("");
    var parts = new TreeMap<String, String>();
    boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
    Json.texts(plain ? selector : selector.path("matchLabels"))
        .forEach((key, value) -> parts.put(key + " ", key + "=" + value));
    for (var each : selector.path("matchExpressions")) {
      var key = Json.text(each, "key");
      var values =
          Json.list(each.path("values"), JsonNode::asText).stream()
              .sorted()
              .collect(Collectors.joining(",", "(", ")"));
      var text =
          switch (Json.text(each, "operator")) {
            case "In" -> key + " in " + values;
            case "NotIn" -> key + " notin " + values;
            case "Exists" -> key;
            case String _ -> "!" + key;
          };
      parts.put(key + " " + text, text);
    }
    return String.join(",", parts.values());
  }

  /// A copy of the object that is to be `replicas`.
  public ObjectNode scaled(ObjectNode object, int replicas) {
    var copy = object.deepCopy();
    var at = copy;
    for (var step : wanted.subList(0, wanted.size() - 1)) at = at.withObject("/" + step);
    at.put(wanted.getLast(), replicas);
    return copy;
  }
}

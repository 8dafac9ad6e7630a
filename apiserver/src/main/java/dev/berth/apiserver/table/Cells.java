package dev.berth.apiserver.table;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What stands in the cells of several tables.
final class Cells {
  static final String NONE = "<none>";
  static final String UNSET = "<unset>";

  private Cells() {}

  static Column name() {
    return Column.text("Name", "The object's name", Cells::nameOf).asName();
  }

  static String nameOf(JsonNode object) {
    return Json.text(object.path("metadata"), "name");
  }

  /// Text at a path such as `/spec/nodeName`; empty if there is none.
  static Function<JsonNode, String> at(String path) {
    return at(path, "");
  }

  /// Text at a path; `otherwise` if there is none.
  static Function<JsonNode, String> at(String path, String otherwise) {
    var pointer = JsonPointer.compile(path);
    return object -> object.at(pointer).asText(otherwise);
  }

  /// Text at a path; `otherwise` if there is none or it is empty.
  static Function<JsonNode, String> filled(String path, String otherwise) {
    return at(path).andThen(text -> text.isEmpty() ? otherwise : text);
  }

  /// Phase of a claim or volume; deletion shows before all else.
  static String phase(JsonNode object) {
    return deleting(object) ? "Terminating" : Json.text(object.path("status"), "phase");
  }

  static boolean deleting(JsonNode object) {
    return Json.optionalText(object.path("metadata"), "deletionTimestamp").isPresent();
  }

  /// Class of a claim or volume; the annotation that came before the field wins.
  static String storageClass(JsonNode object) {
    return annotation(object, Annotations.BETA_STORAGE_CLASS)
        .findAny()
        .orElseGet(() -> Json.text(object.path("spec"), "storageClassName"));
  }

  /// `RWO,RWX`: each mode once, in upstream's order.
  static String accessModes(JsonNode modes) {
    return Stream.of(AccessMode.values())
        .filter(mode -> Json.list(modes, JsonNode::asText).contains(mode.text()))
        .map(AccessMode::brief)
        .collect(Collectors.joining(","));
  }

  /// `app=web,tier=db` in order of the keys; `<none>` if there are none.
  static String labels(JsonNode labels) {
    if (labels.isEmpty()) return NONE;
    return new TreeMap<>(Json.texts(labels))
        .entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
  }

  /// A label selector as people write it on a command line; a plain map of labels is one too.
  static String selector(JsonNode selector) {
    boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
    if (plain) return labels(selector);
    var terms = new ArrayList<String>();
    new TreeMap<>(Json.texts(selector.path("matchLabels")))
        .forEach((key, value) -> terms.add(key + "=" + value));
    selector.path("matchExpressions").forEach(each -> terms.add(expression(each)));
    return terms.isEmpty() ? NONE : String.join(",", terms);
  }

  private static String expression(JsonNode expression) {
    var key = Json.text(expression, "key");
    var values = String.join(",", Json.list(expression.path("values"), JsonNode::asText));
    return switch (Json.text(expression, "operator")) {
      case "In" -> key + " in (" + values + ")";
      case "NotIn" -> key + " notin (" + values + ")";
      case "DoesNotExist" -> "!" + key;
      default -> key;
    };
  }

  /// The annotation's value, or nothing.
  static Stream<String> annotation(JsonNode object, String key) {
    return Json.optionalText(object.path("metadata").path("annotations"), key).stream();
  }
}

package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.kube.value.HeldJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The names of parts, as FieldsV1 spells them: `f:name` for a field, `k:{"key":…}` and `v:…` for
/// elements of lists, `i:3` for one that only its place tells apart. One part has one name.
final class Parts {
  private static final ObjectMapper JSON = HeldJson.mapper().build();

  /// Fields before keys, values and places, as upstream has them.
  static final Comparator<String> ORDER =
      Comparator.comparingInt((String part) -> "fkvi".indexOf(part.charAt(0)))
          .thenComparing(Comparator.naturalOrder());

  private Parts() {}

  static String field(String name) {
    return "f:" + name;
  }

  /// Name of an element of a list.
  ///
  /// @throws UnnamedPartException if it cannot be told apart
  static String element(Form list, JsonNode element) throws UnnamedPartException {
    return list instanceof Form.Keyed(var keys, _) ? keyed(keys, element) : value(element);
  }

  private static String keyed(List<Form.Key> keys, JsonNode element) throws UnnamedPartException {
    if (!(element instanceof ObjectNode object))
      throw new UnnamedPartException(
          element.isNull()
              ? "associative list with keys may not have a null element"
              : "associative list with keys may not have non-map elements");
    var values = new TreeMap<String, JsonNode>();
    for (var key : keys) {
      var value = object.path(key.field());
      if (value.isMissingNode()) value = key.standIn();
      if (!value.isMissingNode()) values.put(key.field(), value);
    }
    if (values.isEmpty())
      throw new UnnamedPartException(
          "associative list with keys has an element that omits all key fields %s (and doesn't have"
                  .formatted(quoted(keys))
              + " default values for any key fields)");
    return keyed(values);
  }

  private static String keyed(TreeMap<String, JsonNode> values) {
    var name = new StringBuilder("k:{");
    for (var value : values.entrySet()) {
      if (name.length() > 3) name.append(',');
      name.append(TextNode.valueOf(value.getKey())).append(':');
      name.append(value.getValue());
    }
    return name.append('}').toString();
  }

  private static String quoted(List<Form.Key> keys) {
    return keys.stream().map(key -> '"' + key.field() + '"').toList().toString().replace(",", "");
  }

  private static String value(JsonNode element) throws UnnamedPartException {
    if (element.isObject())
      throw new UnnamedPartException(
          "associative list without keys has an element that's a map type");
    if (element.isArray())
      throw new UnnamedPartException("not supported: associative list with lists as elements");
    if (element.isNull())
      throw new UnnamedPartException(
          "associative list without keys has an element that's an explicit null");
    return "v:" + element;
  }

  /// The one name of a part that somebody else has spelled.
  ///
  /// @return empty: a kind of part that we do not know
  /// @throws UnnamedPartException if it is no name at all
  static String canonical(String name) throws UnnamedPartException {
    if (name.length() < 2 || name.charAt(1) != ':')
      throw new UnnamedPartException("missing colon: " + name);
    return switch (name.charAt(0)) {
      case 'f' -> name;
      case 'v' -> "v:" + parsed(name);
      case 'k' -> {
        if (!(parsed(name) instanceof ObjectNode object))
          throw new UnnamedPartException("no object: " + name);
        var values = new TreeMap<String, JsonNode>();
        object.properties().forEach(field -> values.put(field.getKey(), field.getValue()));
        yield keyed(values);
      }
      case 'i' -> {
        if (!name.substring(2).matches("-?[0-9]{1,9}"))
          throw new UnnamedPartException("no place: " + name);
        yield "i:" + Integer.parseInt(name.substring(2));
      }
      default -> "";
    };
  }

  private static JsonNode parsed(String name) throws UnnamedPartException {
    try {
      return JSON.readTree(name.substring(2));
    } catch (JsonProcessingException broken) {
      throw new UnnamedPartException("no JSON: " + name);
    }
  }

  /// As people read it: `.name`, `[key="value"]`, `[="value"]`, `[3]`.
  static String shown(String name) {
    var rest = name.substring(2);
    return switch (name.charAt(0)) {
      case 'f' -> "." + rest;
      case 'v' -> "[=" + rest + "]";
      case 'k' -> "[" + shownKey(rest) + "]";
      default -> "[" + rest + "]";
    };
  }

  private static String shownKey(String key) {
    var parts = new ArrayList<String>();
    try {
      for (var field : JSON.readTree(key).properties())
        parts.add(field.getKey() + "=" + field.getValue());
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("a canonical key is JSON: " + key, broken);
    }
    return String.join(",", parts);
  }
}

package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A list whose elements are known by some of their fields, by these: only of such a list can be
/// told what an element was before.
final class ListMap {
  private final List<String> keys;
  private final Map<String, JsonNode> elements = new HashMap<>();

  private ListMap(List<String> keys) {
    this.keys = keys;
  }

  /// Has nothing if the schema does not say by what elements are told apart.
  static ListMap of(JsonNode list, Structural schema) {
    var map = new ListMap(keys(schema));
    if (!map.keys.isEmpty()) for (var each : list) map.elements.put(map.keyOf(each), each);
    return map;
  }

  static List<String> keys(Structural schema) {
    return Json.list(schema.source().path("x-kubernetes-list-map-keys"), JsonNode::asText);
  }

  /// The element with the keys of `element`.
  @Nullable JsonNode get(JsonNode element) {
    return elements.get(keyOf(element));
  }

  /// As a text: of other keys, those of one hash would each be compared with all others.
  private String keyOf(JsonNode element) {
    return keys.stream().map(key -> element.path(key).toString()).collect(Collectors.joining(","));
  }
}

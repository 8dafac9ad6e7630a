package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/// In which order the elements of a merged list stand (API-75): those that the patch names in its
/// order, the others in the one that they had. Between these two an element that was there before
/// both keeps its place; else the patch's comes first.
///
/// @param before places of the elements before the merge
/// @param key by which they are told apart; empty: by themselves
record Arrangement(Map<JsonNode, Integer> before, String key) {
  static Arrangement of(ArrayNode list, String key) {
    return new Arrangement(places(list, key), key);
  }

  private static Map<JsonNode, Integer> places(JsonNode list, String key) {
    var places = new HashMap<JsonNode, Integer>();
    for (var element : list) places.putIfAbsent(identity(element, key), places.size());
    return places;
  }

  private static JsonNode identity(JsonNode element, String key) {
    return key.isEmpty() ? element : element.path(key);
  }

  /// @param wanted elements, or no more than their keys, as the patch names them
  ArrayNode arrange(ArrayNode merged, JsonNode wanted) {
    var order = places(wanted, key);
    var named = new ArrayList<JsonNode>();
    var others = new ArrayList<JsonNode>();
    for (var element : merged)
      (order.containsKey(identity(element, key)) ? named : others).add(element);
    named.sort(Comparator.comparing(element -> order.get(identity(element, key))));
    var arranged = JsonNodeFactory.instance.arrayNode(merged.size());
    int next = 0;
    for (var element : named) {
      while (next < others.size() && wasBefore(others.get(next), element))
        arranged.add(others.get(next++));
      arranged.add(element);
    }
    while (next < others.size()) arranged.add(others.get(next++));
    return arranged;
  }

  /// Whether `order` has every element of a patch that stays.
  boolean covers(ArrayNode patch, JsonNode order) {
    var places = places(order, key);
    for (var element : patch)
      if (!element.path("$patch").asText().equals("delete")
          && !places.containsKey(identity(element, key))) return false;
    return true;
  }

  private boolean wasBefore(JsonNode one, JsonNode other) {
    var first = before.get(identity(one, key));
    var second = before.get(identity(other, key));
    return first != null && second != null && first < second;
  }
}

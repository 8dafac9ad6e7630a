package dev.berth.apiserver.core.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.List;

/// Keeps quantities in their canonical form, so that the same amount is the same text (API-106).
public final class Quantities {
  private Quantities() {}

  /// Rewrites the quantities of `object` in place.
  ///
  /// @throws IllegalArgumentException if one is none
  public static void canonicalize(ObjectNode object, List<String> paths) {
    for (var path : paths) rewrite(object, path.split("\\."), 0);
  }

  private static void rewrite(JsonNode node, String[] path, int depth) {
    var name = path[depth];
    switch (node) {
      case ObjectNode object when depth == path.length - 1 -> {
        for (var field : fields(object, name)) object.set(field, canonical(object.get(field)));
      }
      case ObjectNode object -> {
        for (var field : fields(object, name)) rewrite(object.get(field), path, depth + 1);
      }
      case ArrayNode array when name.equals("*") -> {
        for (var element : array) rewrite(element, path, depth + 1);
      }
      default -> {}
    }
  }

  private static List<String> fields(ObjectNode object, String name) {
    if (!name.equals("*")) return object.has(name) ? List.of(name) : List.of();
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static TextNode canonical(JsonNode value) {
    return TextNode.valueOf(Quantity.parse(value.asText()).toString());
  }
}

package dev.berth.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Where an answer of `berth explain -o json` has commands to type.
final class CommandsWithin {
  private static final Set<String> NAMES = Set.of("remedy", "rights");

  /// What the cluster has there, which is nobody's answer.
  private static final String SEEN = "seen";

  private CommandsWithin() {}

  static void each(JsonNode json, UnaryOperator<String> typed) {
    if (json instanceof ObjectNode object) {
      for (var name : object.properties().stream().map(Map.Entry::getKey).toList())
        if (NAMES.contains(name)) object.set(name, of(object.get(name), typed));
        else if (!name.equals(SEEN)) each(object.get(name), typed);
    } else for (var item : json) each(item, typed);
  }

  private static JsonNode of(JsonNode told, UnaryOperator<String> typed) {
    if (told.isTextual()) return TextNode.valueOf(typed.apply(told.textValue()));
    if (told instanceof ArrayNode lines)
      for (int i = 0; i < lines.size(); i++) lines.set(i, of(lines.get(i), typed));
    return told;
  }
}

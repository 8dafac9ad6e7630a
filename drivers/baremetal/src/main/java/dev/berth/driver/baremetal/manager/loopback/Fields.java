package dev.berth.driver.baremetal.manager.loopback;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/// Reads fields of the drives file. A field that is missing or empty is as usual; one that holds
/// something else than it should is refused by its name, and never taken for something near it.
final class Fields {
  private Fields() {}

  /// @throws IllegalArgumentException unless it is a whole number from 0 to `most`
  static int count(JsonNode tree, String field, int usual, int most) {
    var value = tree.path(field);
    if (absent(value)) return atMost(usual, field, most);
    if (!value.isIntegralNumber() || !value.canConvertToInt()) throw count(field, value, most);
    return atMost(value.asInt(), field, most);
  }

  private static int atMost(int count, String field, int most) {
    if (count < 0 || count > most) throw count(field, count, most);
    return count;
  }

  private static IllegalArgumentException count(String field, Object value, int most) {
    return new IllegalArgumentException(
        "%s %s: a whole number from 0 to %d".formatted(field, value, most));
  }

  /// @throws IllegalArgumentException unless it is true or false; usually it is false
  static boolean flag(JsonNode tree, String field) {
    var value = tree.path(field);
    if (absent(value)) return false;
    if (!value.isBoolean())
      throw new IllegalArgumentException("%s %s: true or false".formatted(field, value));
    return value.asBoolean();
  }

  /// @throws IllegalArgumentException unless it is a word or a number
  static String text(JsonNode tree, String field, String usual) {
    var value = tree.path(field);
    if (absent(value)) return usual;
    if (!value.isTextual() && !value.isNumber() || value.asText().isBlank())
      throw new IllegalArgumentException("%s %s: a word".formatted(field, value));
    return value.asText();
  }

  /// @return an array
  /// @throws IllegalArgumentException unless it is a list; usually it is empty
  static JsonNode list(JsonNode tree, String field) {
    var value = tree.path(field);
    if (absent(value)) return JsonNodeFactory.instance.arrayNode();
    if (!value.isArray())
      throw new IllegalArgumentException("%s %s: a list".formatted(field, value));
    return value;
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }
}

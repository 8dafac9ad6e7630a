package dev.berth.kube.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/// Reads fields of an object's JSON; what is absent or `null` reads as empty.
public final class Json {
  private Json() {}

  /// Text of a field; empty if it is absent.
  public static String text(JsonNode node, String field) {
    return node.path(field).asText("");
  }

  /// Text of a field; absent and `null` are told apart from the empty text.
  public static Optional<String> optionalText(JsonNode node, String field) {
    var value = node.path(field);
    return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value.asText());
  }

  /// A truth value; empty: it is not said.
  public static Optional<Boolean> flag(JsonNode node, String field) {
    var value = node.path(field);
    return value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
  }

  /// A whole number; empty: it is not said.
  public static OptionalLong number(JsonNode node, String field) {
    var value = node.path(field);
    return value.isNumber() ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
  }

  /// An RFC 3339 time, with or without fractions.
  public static Optional<Instant> instant(JsonNode node, String field) {
    return optionalText(node, field).filter(text -> !text.isEmpty()).map(Rfc3339::parse);
  }

  /// An object of strings, in its order.
  public static Map<String, String> texts(JsonNode node) {
    var texts = new LinkedHashMap<String, String>();
    node.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText("")));
    return texts;
  }

  /// Each element of an array, read by `read`; empty if there is no array.
  public static <T> List<T> list(JsonNode array, Function<JsonNode, T> read) {
    var list = new ArrayList<T>(array.size());
    array.forEach(element -> list.add(read.apply(element)));
    return list;
  }

  /// Each member of an object, as a quantity.
  public static Map<String, Quantity> quantities(JsonNode node) {
    var quantities = new LinkedHashMap<String, Quantity>();
    node.properties()
        .forEach(
            entry -> quantities.put(entry.getKey(), Quantity.parse(entry.getValue().asText(""))));
    return quantities;
  }

  /// A quantity such as `1Gi`.
  public static Optional<Quantity> quantity(JsonNode node, String field) {
    return optionalText(node, field).map(Quantity::parse);
  }
}

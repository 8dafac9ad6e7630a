package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// One condition on labels or fields, as selectors and affinities write it.
///
/// @param values for [Operator#GT] and [Operator#LT] one whole number
public record Requirement(String key, Operator operator, List<String> values) {
  /// Spelled in objects as `In`, `NotIn`, and so on.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GT,
    LT
  }

  public Requirement {
    values = List.copyOf(values);
  }

  static Requirement of(JsonNode expression) {
    var operator =
        switch (Json.text(expression, "operator")) {
          case "In" -> Operator.IN;
          case "NotIn" -> Operator.NOT_IN;
          case "Exists" -> Operator.EXISTS;
          case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
          case "Gt" -> Operator.GT;
          case "Lt" -> Operator.LT;
          case String other ->
              throw new IllegalArgumentException("\"" + other + "\" is no operator of a selector");
        };
    return new Requirement(
        Json.text(expression, "key"),
        operator,
        Json.list(expression.path("values"), JsonNode::asText));
  }

  boolean holds(Map<String, String> labels) {
    var value = labels.get(key);
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GT -> value != null && compare(value) > 0;
      case LT -> value != null && compare(value) < 0;
    };
  }

  /// A value that is no number satisfies neither `Gt` nor `Lt`.
  private int compare(String value) {
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  /// As a command line has it: `zone in (a,b)`, and `zone=a` for one value.
  String text() {
    var list = String.join(",", values);
    return switch (operator) {
      case IN -> values.size() == 1 ? key + "=" + list : key + " in (" + list + ")";
      case NOT_IN -> key + " notin (" + list + ")";
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case GT -> key + ">" + list;
      case LT -> key + "<" + list;
    };
  }

  /// As messages print it: `zone in [a b]`.
  @Override
  public String toString() {
    var list = values.stream().collect(Collectors.joining(" ", "[", "]"));
    return switch (operator) {
      case IN -> key + " in " + list;
      case NOT_IN -> key + " not in " + list;
      case EXISTS -> key + " exists";
      case DOES_NOT_EXIST -> key + " does not exist";
      case GT -> key + " > " + values.getFirst();
      case LT -> key + " < " + values.getFirst();
    };
  }
}

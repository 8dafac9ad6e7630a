package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.kube.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks an object by the rules in CEL of its schema, and a change by those that compare
/// (API-123).
final class Validations {
  private final boolean transitions;
  private final CelCost cost = new CelCost();
  private final CelValues values = new CelValues();
  private final List<FieldError> errors = new ArrayList<>();

  private Validations(boolean transitions) {
    this.transitions = transitions;
  }

  /// What the rules that see only the object find wrong with it.
  static List<FieldError> of(JsonNode object, Structural schema) {
    var validations = new Validations(false);
    validations.node(object, Optional.empty(), schema, "");
    return validations.errors;
  }

  /// What the rules that compare find wrong with a change.
  static List<FieldError> ofChange(JsonNode object, JsonNode stored, Structural schema) {
    var validations = new Validations(true);
    validations.node(object, Optional.of(stored), schema, "");
    return validations.errors;
  }

  private void node(JsonNode value, Optional<JsonNode> old, Structural schema, String path) {
    if (!schema.ruled() || value.isNull() || cost.isSpent()) return;
    for (var rule : schema.rules()) rule(rule, value, old, schema, path);
    switch (value) {
      case ObjectNode object -> {
        for (var field : object.properties()) {
          var known = schema.properties().get(field.getKey());
          if (known == null) known = schema.additional().orElse(null);
          if (known == null) continue;
          var before = old.map(each -> each.get(field.getKey()));
          var at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
          node(field.getValue(), before, known, at);
        }
      }
      case ArrayNode array -> {
        if (schema.items().isEmpty()) return;
        for (int i = 0; i < array.size(); i++) {
          var element = array.get(i);
          var before = old.flatMap(each -> sameElement(each, element, schema));
          node(element, before, schema.items().get(), path + "[" + i + "]");
        }
      }
      default -> {}
    }
  }

  /// Elements are the same only where the schema says by what they are told apart.
  private static Optional<JsonNode> sameElement(JsonNode old, JsonNode element, Structural schema) {
    if (!schema.word("x-kubernetes-list-type").equals("map")) return Optional.empty();
    var keys = Json.list(schema.source().path("x-kubernetes-list-map-keys"), JsonNode::asText);
    for (var each : old)
      if (keys.stream().allMatch(key -> each.path(key).equals(element.path(key))))
        return Optional.of(each);
    return Optional.empty();
  }

  private void rule(
      CelRule rule, JsonNode value, Optional<JsonNode> old, Structural schema, String path) {
    if (cost.isSpent() || rule.compares() != transitions || rule.compares() && old.isEmpty())
      return;
    rule.broken(values.value(value, schema), old.map(each -> values.value(each, schema)), cost)
        .ifPresent(why -> errors.add(error(rule, schema, path, why)));
  }

  private static FieldError error(CelRule rule, Structural schema, String path, String why) {
    var field = (path + rule.fieldPath()).replaceFirst("^\\.", "");
    var at = field.isEmpty() ? "<nil>" : field;
    return switch (rule.reason()) {
      case "FieldValueRequired" -> FieldError.required(at, why);
      case "FieldValueForbidden" -> FieldError.forbidden(at, why);
      case "FieldValueDuplicate" -> FieldError.duplicate(at, "\"" + schema.type() + "\"");
      default -> FieldError.invalid(at, "\"" + schema.type() + "\"", why);
    };
  }
}

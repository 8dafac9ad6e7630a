package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.CelCost;
import dev.berth.apiserver.core.custom.rule.CelRule;
import dev.berth.apiserver.core.custom.rule.CelValues;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.schema.Place;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;

/// Checks an object, or a change of one, by the rules in CEL of its schema (API-123). What a change
/// leaves as it was is not held against it: only rules that compare look at that.
final class Validations {
  private final CelCost cost = new CelCost();
  private final CelValues values = new CelValues();
  private final Findings found = Findings.all();

  private Validations() {}

  /// What is wrong with a new object.
  static List<FieldError> of(JsonNode object, Structural schema) {
    return check(new Here(object, Optional.empty(), false, ""), schema);
  }

  /// What is wrong with a change.
  static List<FieldError> ofChange(JsonNode object, JsonNode stored, Structural schema) {
    return check(new Here(object, Optional.of(stored), false, ""), schema);
  }

  private static List<FieldError> check(Here object, Structural schema) {
    var validations = new Validations();
    validations.node(object, schema);
    return validations.found.errors();
  }

  /// A value and where it stands.
  ///
  /// @param old what it was; empty: it is new, or nobody can tell
  /// @param unchanged whether what it is part of is as it was
  private record Here(JsonNode value, Optional<JsonNode> old, boolean unchanged, String path) {
    private Here at(String name, JsonNode part) {
      return new Here(part, old.map(each -> each.get(name)), unchanged, Place.field(path, name));
    }
  }

  private void node(Here here, Structural schema) {
    if (!schema.ruled() || here.value().isNull() || cost.isSpent() || found.isFull()) return;
    var at = here;
    if (!schema.rules().isEmpty() && !here.unchanged())
      at =
          new Here(
              here.value(),
              here.old(),
              here.old().filter(old -> Trees.same(old, here.value())).isPresent(),
              here.path());
    for (var rule : schema.rules()) rule(rule, at, schema);
    switch (here.value()) {
      case ObjectNode object -> {
        for (var field : object.properties()) {
          var known = schema.properties().get(field.getKey());
          if (known == null) known = schema.additional().orElse(null);
          if (known != null) node(at.at(field.getKey(), field.getValue()), known);
        }
      }
      case ArrayNode array -> {
        if (schema.items().isPresent()) elements(at, array, schema, schema.items().get());
      }
      default -> {}
    }
  }

  private void elements(Here here, ArrayNode array, Structural schema, Structural items) {
    if (!items.ruled()) return;
    var before = here.old().map(old -> ListMap.of(old, schema));
    for (int i = 0; i < array.size(); i++) {
      var element = array.get(i);
      var old = before.map(each -> each.get(element));
      node(new Here(element, old, here.unchanged(), Place.element(here.path(), i)), items);
    }
  }

  private void rule(CelRule rule, Here here, Structural schema) {
    if (cost.isSpent()) return;
    var old = here.old().filter(each -> fits(each, schema));
    boolean skipped = rule.compares() ? old.isEmpty() && !rule.optionalOld() : here.unchanged();
    if (!skipped)
      broken(rule, here.value(), old, schema)
          .ifPresent(why -> found.add(error(rule, schema, here.path(), why)));
  }

  /// What was stored under another schema, and is no value of this one, is no old value.
  private boolean fits(JsonNode old, Structural schema) {
    try {
      values.value(old, schema.shape());
      return true;
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException unfit) {
      return false;
    }
  }

  private Optional<String> broken(
      CelRule rule, JsonNode value, Optional<JsonNode> old, Structural schema) {
    try {
      var before = old.filter(each -> !each.isNull());
      return rule.broken(
          new CelRule.Facts(
              values.value(value, schema.shape()),
              before.map(each -> values.value(each, schema.shape()))),
          cost);
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException unfit) {
      return Optional.of("rule evaluation error: " + unfit.getMessage());
    }
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

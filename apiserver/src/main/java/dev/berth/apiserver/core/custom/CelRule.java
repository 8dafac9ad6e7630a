package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.kube.model.Json;
import dev.cel.runtime.CelEvaluationException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// One of the `x-kubernetes-validations` of a schema, in CEL (API-123).
final class CelRule {
  private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");

  private final JsonNode rule;

  CelRule(JsonNode rule) {
    this.rule = rule;
  }

  /// Why it cannot be used; empty: it can.
  static Optional<String> fault(String rule) {
    return CelPrograms.of(rule) instanceof CelPrograms.Faulty(var why)
        ? Optional.of(why)
        : Optional.empty();
  }

  /// The texts of all rules in a schema, or in a whole definition.
  static Set<String> texts(JsonNode schema) {
    var texts = new LinkedHashSet<String>();
    gather(schema, texts);
    return texts;
  }

  private static void gather(JsonNode schema, Set<String> texts) {
    if (schema.path("x-kubernetes-validations") instanceof ArrayNode rules)
      for (var rule : rules) Json.optionalText(rule, "rule").ifPresent(texts::add);
    for (var part : schema) gather(part, texts);
  }

  private String text() {
    return Json.text(rule, "rule");
  }

  /// Whether it looks at what the value was before.
  boolean compares() {
    return OLD.matcher(text()).find();
  }

  String reason() {
    return Json.text(rule, "reason");
  }

  /// From the schema's own path on, such as `.size`.
  String fieldPath() {
    return Json.text(rule, "fieldPath");
  }

  /// What is wrong with `value`.
  ///
  /// @param old what it was; empty: nothing that can be compared
  /// @return empty: nothing
  Optional<String> broken(Object value, Optional<Object> old, CelCost cost) {
    return switch (CelPrograms.of(text())) {
      case CelPrograms.Faulty(var why) -> Optional.of("rule compile error: " + why);
      case CelPrograms.Runs(var program) -> broken(program, value, old, cost);
    };
  }

  private Optional<String> broken(
      CelProgram program, Object value, Optional<Object> old, CelCost cost) {
    var facts = new LinkedHashMap<String, Object>();
    facts.put("self", value);
    old.ifPresent(before -> facts.put("oldSelf", before));
    try {
      return program.holds(facts, cost) ? Optional.empty() : Optional.of(message());
    } catch (CelEvaluationException | RuntimeException failed) {
      return Optional.of("rule evaluation error: " + failed.getMessage());
    } catch (CelCost.Spent tooMuch) {
      return Optional.of(
          "validation failed due to running out of cost budget, no further validation rules will be run: the rules of this object take more than %d steps; make lists, maps and texts that they look at smaller, or the rules simpler"
              .formatted(CelCost.MOST));
    }
  }

  private String message() {
    return Json.optionalText(rule, "message").orElseGet(() -> "failed rule: " + text().strip());
  }
}

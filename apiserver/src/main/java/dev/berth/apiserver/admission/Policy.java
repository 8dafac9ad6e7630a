package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.Budget;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.FailedException;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.Result;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A ValidatingAdmissionPolicy, compiled.
record Policy(
    String name,
    JsonNode spec,
    Conditions conditions,
    Map<String, AdmissionExpression> variables,
    List<Validation> validations) {
  private static final int MOST_MESSAGE = 5 * 1024;

  /// @param reason of the refusal, as upstream names it
  /// @param said what its messageExpression says; empty: there is none
  record Validation(
      String expression,
      String message,
      String reason,
      AdmissionExpression rule,
      Optional<AdmissionExpression> said) {}

  /// Why a write is not to be.
  record Denial(String message, String reason) {}

  /// Compiles it, which takes long.
  static Policy of(String name, JsonNode spec) {
    var variables = new LinkedHashMap<String, AdmissionExpression>();
    for (var each : spec.path("variables"))
      variables.put(
          Json.text(each, "name"),
          AdmissionExpression.of(Json.text(each, "expression"), Result.ANYTHING));
    var validations = new ArrayList<Validation>();
    for (var each : spec.path("validations"))
      validations.add(
          new Validation(
              Json.text(each, "expression"),
              Json.text(each, "message"),
              Json.optionalText(each, "reason").orElse("Invalid"),
              AdmissionExpression.of(Json.text(each, "expression"), Result.TRUTH),
              Json.optionalText(each, "messageExpression")
                  .map(text -> AdmissionExpression.of(text, Result.TEXT))));
    return new Policy(
        name,
        spec,
        Conditions.of(spec.path("matchConditions")),
        variables,
        List.copyOf(validations));
  }

  /// What of it cannot be used.
  List<FieldError> faults() {
    var faults = new ArrayList<FieldError>();
    int index = 0;
    for (var each : spec.path("variables")) {
      var expression = variables.get(Json.text(each, "name"));
      fault(faults, "spec.variables[%d].expression".formatted(index++), expression, each);
    }
    for (int i = 0; i < validations.size(); i++) {
      var each = spec.path("validations").path(i);
      var at = "spec.validations[%d].".formatted(i);
      fault(faults, at + "expression", validations.get(i).rule(), each);
      if (validations.get(i).said().isPresent())
        fault(faults, at + "messageExpression", validations.get(i).said().get(), each);
    }
    faults.addAll(conditions.faults("spec.matchConditions", spec.path("matchConditions")));
    return faults;
  }

  private static void fault(
      List<FieldError> faults,
      String path,
      @Nullable AdmissionExpression expression,
      JsonNode holder) {
    if (expression == null) return;
    var field = path.substring(path.lastIndexOf('.') + 1);
    expression
        .fault()
        .ifPresent(why -> faults.add(FieldError.invalid(path, holder.path(field).toString(), why)));
  }

  boolean ignoresFailures() {
    return Json.text(spec, "failurePolicy").equals("Ignore");
  }

  /// What it holds against a write.
  ///
  /// @param facts with `params`
  List<Denial> denials(Map<String, Object> facts) {
    var budget = new Budget();
    try {
      if (!conditions.hold(facts, budget)) return List.of();
    } catch (FailedException failed) {
      return failure(String.valueOf(failed.getMessage()));
    }
    var all = new HashMap<>(facts);
    var failures = new HashMap<String, String>();
    all.put("variables", values(facts, budget, failures));
    var denials = new ArrayList<Denial>();
    for (var each : validations) {
      try {
        if (!Boolean.TRUE.equals(each.rule().run(all, budget)))
          denials.add(new Denial(message(each, all, budget), each.reason()));
      } catch (FailedException failed) {
        denials.addAll(failure(explained(each.expression(), failed, failures)));
      }
    }
    return denials;
  }

  /// Each sees those before it; one that fails is missed only by who looks at it.
  private Map<String, Object> values(
      Map<String, Object> facts, Budget budget, Map<String, String> failures) {
    var values = new LinkedHashMap<String, Object>();
    var all = new HashMap<>(facts);
    variables.forEach((name, expression) -> {
      all.put("variables", new LinkedHashMap<>(values));
      try {
        values.put(name, expression.run(all, budget));
      } catch (FailedException failed) {
        failures.put(name, String.valueOf(failed.getMessage()));
      }
    });
    return values;
  }

  private static String explained(
      String expression, FailedException failed, Map<String, String> failures) {
    for (var each : failures.entrySet())
      if (String.valueOf(failed.getMessage()).contains(each.getKey()))
        return "expression '%s' resulted in error: composited variable \"%s\" fails to evaluate: %s"
            .formatted(expression.strip(), each.getKey(), each.getValue());
    return "expression '%s' resulted in error: %s"
        .formatted(expression.strip(), failed.getMessage());
  }

  private List<Denial> failure(String why) {
    return ignoresFailures() ? List.of() : List.of(new Denial(why, "Invalid"));
  }

  private static String message(Validation broken, Map<String, Object> facts, Budget budget) {
    return said(broken, facts, budget)
        .or(() -> Optional.of(broken.message().strip()).filter(text -> !text.isEmpty()))
        .orElseGet(() -> "failed expression: " + broken.expression().strip());
  }

  /// Unless it fails or says nothing fit for one line.
  private static Optional<String> said(
      Validation broken, Map<String, Object> facts, Budget budget) {
    if (broken.said().isEmpty()) return Optional.empty();
    try {
      return Optional.of(broken.said().get().run(facts, budget))
          .filter(String.class::isInstance)
          .map(text -> text.toString().strip())
          .filter(text -> !text.isEmpty() && !text.contains("\n") && text.length() <= MOST_MESSAGE);
    } catch (FailedException failed) {
      return Optional.empty();
    }
  }
}

package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.Budget;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.FailedException;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.Result;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The `matchConditions` of a webhook or a policy, compiled.
record Conditions(Map<String, AdmissionExpression> byName) {
  static Conditions of(JsonNode conditions) {
    var byName = new LinkedHashMap<String, AdmissionExpression>();
    for (var each : conditions)
      byName.put(
          Json.text(each, "name"),
          AdmissionExpression.of(Json.text(each, "expression"), Result.TRUTH));
    return new Conditions(byName);
  }

  /// What of them cannot be used.
  ///
  /// @param path of the field that has them
  /// @param written what they were made of
  List<FieldError> faults(String path, JsonNode written) {
    var faults = new ArrayList<FieldError>();
    int index = 0;
    for (var each : written) {
      var at = "%s[%d].expression".formatted(path, index++);
      Optional.ofNullable(byName.get(Json.text(each, "name")))
          .flatMap(AdmissionExpression::fault)
          .ifPresent(
              why -> faults.add(FieldError.invalid(at, each.path("expression").toString(), why)));
    }
    return faults;
  }

  /// Whether all hold. One that does not decides, whatever becomes of the others.
  boolean hold(Map<String, Object> facts, Budget budget) throws FailedException {
    List<FailedException> failures = new ArrayList<>();
    for (var each : byName.values()) {
      try {
        if (!Boolean.TRUE.equals(each.run(facts, budget))) return false;
      } catch (FailedException failed) {
        failures.add(failed);
      }
    }
    if (!failures.isEmpty()) throw failures.getFirst();
    return true;
  }

  /// What expressions see of a question.
  static Map<String, Object> facts(Question question) {
    var facts = new LinkedHashMap<String, Object>();
    question.object().ifPresent(it -> facts.put("object", AdmissionExpression.value(it)));
    question.old().ifPresent(it -> facts.put("oldObject", AdmissionExpression.value(it)));
    facts.put("request", AdmissionExpression.value(question.request()));
    question
        .namespace()
        .ifPresent(it -> facts.put("namespaceObject", AdmissionExpression.value(it)));
    return facts;
  }
}

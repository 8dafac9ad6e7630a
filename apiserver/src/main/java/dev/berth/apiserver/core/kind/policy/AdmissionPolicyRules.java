package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;
import java.time.Instant;

/// ValidatingAdmissionPolicies (API-03).
final class AdmissionPolicyRules implements Rules {
  private static final String[] OPERATIONS = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode policy) {
    var spec = Trees.objectAt(policy, "spec");
    Trees.setDefault(spec, "failurePolicy", "Fail");
    if (!(spec.get("matchConstraints") instanceof ObjectNode constraints)) return;
    setMatching(constraints);
    setScopes(constraints.path("resourceRules"));
    setScopes(constraints.path("excludeResourceRules"));
  }

  /// What does not say which objects it is about is about all.
  static void setMatching(ObjectNode matching) {
    Trees.setDefault(matching, "matchPolicy", "Equivalent");
    Trees.objectAt(matching, "namespaceSelector");
    Trees.objectAt(matching, "objectSelector");
  }

  static void setScopes(JsonNode rules) {
    for (var rule : rules)
      if (rule instanceof ObjectNode object) Trees.setDefault(object, "scope", "*");
  }

  @Override
  public void start(ObjectNode policy, Instant now) {
    policy.putObject("status");
  }

  @Override
  public void check(Field policy) {
    var spec = policy.at("spec");
    spec.at("failurePolicy").demandOneOf("Fail", "Ignore");
    var constraints = spec.at("matchConstraints");
    if (!constraints.isSet()) constraints.required();
    else {
      constraints.at("resourceRules").demand();
      checkOperations(constraints.at("resourceRules"));
      Selectors.check(constraints.at("namespaceSelector"));
      Selectors.check(constraints.at("objectSelector"));
    }
    if (spec.at("validations").isEmpty() && spec.at("auditAnnotations").isEmpty())
      spec.at("validations")
          .required("validations or auditAnnotations must contain at least one item");
    for (var validation : spec.at("validations").elements())
      if (validation.at("expression").text().isBlank())
        validation.at("expression").required("expression is not specified");
  }

  static void checkOperations(Field rules) {
    for (var rule : rules.elements()) {
      for (var field : new String[] {"operations", "apiGroups", "apiVersions", "resources"})
        rule.at(field).demand();
      rule.at("operations").elements().forEach(each -> each.demandOneOf(OPERATIONS));
    }
  }
}

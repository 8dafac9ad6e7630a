package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;

/// ValidatingAdmissionPolicyBindings (API-03).
final class PolicyBindingRules implements Rules {
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
  public void setDefaults(ObjectNode binding) {
    if (binding.path("spec").get("matchResources") instanceof ObjectNode matching) {
      AdmissionPolicyRules.setMatching(matching);
      AdmissionPolicyRules.setScopes(matching.path("resourceRules"));
    }
  }

  @Override
  public void check(Field binding) {
    var policy = binding.at("spec").at("policyName");
    if (policy.demand()) Names.SUBDOMAIN.check(policy);
    var actions = binding.at("spec").at("validationActions");
    actions.demand();
    actions.elements().forEach(each -> each.demandOneOf("Audit", "Deny", "Warn"));
  }
}

package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;

/// IngressClasses.
final class IngressClassRules implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode ingressClass) {
    if (ingressClass.path("spec").get("parameters") instanceof ObjectNode parameters)
      Trees.setDefault(parameters, "scope", "Cluster");
  }

  @Override
  public void check(Field ingressClass) {
    var controller = ingressClass.at("spec").at("controller");
    if (controller.demand() && !controller.text().matches("[a-z0-9][-a-z0-9.]*/[^/ ].*"))
      controller.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
    var parameters = ingressClass.at("spec").at("parameters");
    if (!parameters.isSet()) return;
    parameters.at("kind").demand();
    parameters.at("name").demand();
    parameters.at("scope").demandOneOf("Cluster", "Namespace");
    var namespace = parameters.at("namespace");
    if (parameters.at("scope").is("Namespace")) namespace.demand();
    else if (namespace.isSet()) namespace.forbidden("`parameters.scope` is set to 'Cluster'");
  }

  @Override
  public void checkChange(Field ingressClass, Field stored) {
    ingressClass.at("spec").at("controller").immutable(stored.at("spec").at("controller"));
  }
}

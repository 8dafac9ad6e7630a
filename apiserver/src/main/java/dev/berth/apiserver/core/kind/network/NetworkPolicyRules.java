package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;

/// NetworkPolicies.
final class NetworkPolicyRules implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode policy) {
    var spec = Trees.objectAt(policy, "spec");
    Trees.objectAt(spec, "podSelector");
    setPorts(spec.path("ingress"));
    setPorts(spec.path("egress"));
    if (!spec.path("policyTypes").isEmpty()) return;
    var types = spec.putArray("policyTypes").add("Ingress");
    if (!spec.path("egress").isEmpty()) types.add("Egress");
  }

  private static void setPorts(JsonNode rules) {
    for (var rule : rules)
      for (var port : rule.path("ports"))
        if (port instanceof ObjectNode object) Trees.setDefault(object, "protocol", "TCP");
  }

  @Override
  public void check(Field policy) {
    var spec = policy.at("spec");
    Selectors.check(spec.at("podSelector"));
    spec.at("policyTypes").elements().forEach(each -> each.demandOneOf("Egress", "Ingress"));
    for (var side : new String[] {"ingress", "egress"})
      for (var rule : spec.at(side).elements()) {
        for (var port : rule.at("ports").elements())
          port.at("protocol").demandOneOf("SCTP", "TCP", "UDP");
        for (var peer : rule.at(side.equals("ingress") ? "from" : "to").elements()) checkPeer(peer);
      }
  }

  private static void checkPeer(Field peer) {
    boolean pods = peer.at("podSelector").isSet() || peer.at("namespaceSelector").isSet();
    boolean block = peer.at("ipBlock").isSet();
    if (pods && block) peer.forbidden("may not specify both ipBlock and another peer");
    if (!pods && !block) peer.required("must specify a peer");
    Selectors.check(peer.at("podSelector"));
    Selectors.check(peer.at("namespaceSelector"));
    if (block) peer.at("ipBlock").at("cidr").demand();
  }
}

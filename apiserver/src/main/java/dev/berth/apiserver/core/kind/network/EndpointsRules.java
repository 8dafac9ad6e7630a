package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;

/// Endpoints.
final class EndpointsRules implements Rules {
  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode endpoints) {
    for (var subset : endpoints.path("subsets"))
      for (var port : subset.path("ports"))
        if (port instanceof ObjectNode object) Trees.setDefault(object, "protocol", "TCP");
  }

  @Override
  public void check(Field endpoints) {
    for (var subset : endpoints.at("subsets").elements()) {
      if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty())
        subset.required("must specify `addresses` or `notReadyAddresses`");
      for (var list : new String[] {"addresses", "notReadyAddresses"})
        for (var address : subset.at(list).elements()) Addresses.check(address.at("ip"));
      for (var port : subset.at("ports").elements()) ServiceRules.checkPort(port.at("port"));
    }
  }
}

package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// EndpointSlices.
final class EndpointSliceRules implements Rules {
  private static final int MOST = 1000;
  private static final int MOST_PORTS = 20_000;

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public List<String> countedMetadata() {
    return List.of("labels");
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode slice) {
    for (var each : slice.path("ports"))
      if (each instanceof ObjectNode port) {
        if (!port.has("name")) port.put("name", "");
        Trees.setDefault(port, "protocol", "TCP");
      }
  }

  @Override
  public void check(Field slice) {
    var type = slice.at("addressType");
    if (type.demand()) type.demandOneOf("FQDN", "IPv4", "IPv6");
    if (slice.at("endpoints").node().size() > MOST) slice.at("endpoints").tooMany(MOST);
    if (slice.at("ports").node().size() > MOST_PORTS) slice.at("ports").tooMany(MOST_PORTS);
    for (var endpoint : slice.at("endpoints").elements()) {
      if (endpoint.at("addresses").isEmpty())
        endpoint.at("addresses").required("must contain at least 1 address");
      for (var address : endpoint.at("addresses").elements()) {
        if (type.is("FQDN")) Names.SUBDOMAIN.check(address);
        else Addresses.check(address);
      }
    }
  }

  @Override
  public void checkChange(Field slice, Field stored) {
    slice.at("addressType").immutable(stored.at("addressType"));
  }
}

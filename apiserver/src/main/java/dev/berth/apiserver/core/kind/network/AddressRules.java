package dev.berth.apiserver.core.kind.network;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;

/// IPAddresses: who has which address of the services' range.
final class AddressRules implements Rules {
  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void check(Field address) {
    Addresses.check(address.at("metadata").at("name"));
    var parent = address.at("spec").at("parentRef");
    if (parent.demand())
      for (var field : new String[] {"resource", "name"}) parent.at(field).demand();
  }

  @Override
  public void checkChange(Field address, Field stored) {
    address.at("spec").at("parentRef").immutable(stored.at("spec").at("parentRef"));
  }
}

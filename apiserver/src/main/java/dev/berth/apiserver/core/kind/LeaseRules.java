package dev.berth.apiserver.core.kind;

import dev.berth.apiserver.core.field.Field;

/// Leases (API-138).
final class LeaseRules implements Rules {
  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void check(Field lease) {
    var duration = lease.at("spec").at("leaseDurationSeconds");
    if (duration.isSet() && duration.node().asLong() <= 0)
      duration.invalid("must be greater than 0");
    var transitions = lease.at("spec").at("leaseTransitions");
    if (transitions.node().asLong() < 0) transitions.invalid("must be greater than or equal to 0");
  }
}

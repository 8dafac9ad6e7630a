package dev.berth.driver.spi;

import dev.berth.driver.model.UsageSupport;
import java.util.List;

/// A CSI driver: who it is, and the parts of which it consists.
public interface Driver {
  PluginInfo info();

  /// What its volumes can be used for.
  UsageSupport usages();

  /// May ask the back end: what is said here is kept for a while (see [Readiness]).
  default Readiness readiness() {
    return new Readiness.Ready();
  }

  /// Which secrets its calls need; without them they are refused.
  default SecretKeys secretKeys() {
    return SecretKeys.NONE;
  }

  /// Objects that implement the capabilities, each any number of them, no capability twice.
  default List<?> parts() {
    return List.of(this);
  }
}

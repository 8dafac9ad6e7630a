package dev.berth.sidecar.resizer;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.sidecar.connection.DriverFacts;
import java.util.Optional;

/// How far a driver makes volumes larger (RSZ-02).
public enum Reach {
  /// Its controller does, and nodes perhaps afterwards.
  CONTROLLER,
  /// Only nodes do: there is nobody to ask, the wish is passed on to them (RSZ-03).
  NODE;

  /// @return empty: the driver makes no volume larger
  public static Optional<Reach> of(DriverFacts driver) {
    if (driver.can(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME))
      return Optional.of(CONTROLLER);
    return driver.node().contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)
        ? Optional.of(NODE)
        : Optional.empty();
  }
}

package dev.berth.sidecar.resizer;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.sidecar.connection.DriverFacts;
import java.util.Optional;

/// How far a driver makes volumes larger (RSZ-02).
public enum Reach {
  /// Its controller does, and nodes perhaps afterwards.
  CONTROLLER,
  /// Only nodes do: there is nobody to ask, the wish is passed on to them (RSZ-03).
  NODE;

  /// RSZ-01: without a controller service it is no driver for a resizer.
  ///
  /// @return empty: the driver makes no volume larger
  public static Optional<Reach> of(DriverFacts driver) {
    if (driver.can(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME))
      return Optional.of(CONTROLLER);
    boolean onNodes =
        driver.plugin().contains(PluginCapability.Service.Type.CONTROLLER_SERVICE)
            && driver.node().contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
    return onNodes ? Optional.of(NODE) : Optional.empty();
  }
}

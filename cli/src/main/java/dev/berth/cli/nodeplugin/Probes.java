package dev.berth.cli.nodeplugin;

import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.driver.process.Liveness;
import dev.berth.sidecar.metric.CallMetrics;

/// How long drivers take to answer, as upstream's livenessprobe counts it (LIV-03).
final class Probes {
  private static final String METHOD = IdentityGrpc.getProbeMethod().getFullMethodName();

  private static final String NAME = IdentityGrpc.getGetPluginInfoMethod().getFullMethodName();

  /// What upstream calls a driver that has not said its name.
  private static final String UNKNOWN = "unknown-driver";

  private Probes() {}

  /// For the question for the driver's name.
  static Liveness.Witness nameless(CallMetrics metrics) {
    return (code, took) -> metrics.answered(UNKNOWN, NAME, code, took);
  }

  static Liveness.Witness witness(CallMetrics metrics, String driver) {
    return (code, took) -> metrics.answered(driver, METHOD, code, took);
  }
}

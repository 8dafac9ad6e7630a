package dev.berth.cli.nodeplugin;

import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.driver.process.Liveness;
import dev.berth.sidecar.metric.CallMetrics;

/// How long drivers take to answer probes, as upstream's livenessprobe counts it (LIV-03).
final class Probes {
  private static final String METHOD = IdentityGrpc.getProbeMethod().getFullMethodName();

  private Probes() {}

  static Liveness.Witness witness(CallMetrics metrics, String driver) {
    return (code, took) -> metrics.answered(driver, METHOD, code, took);
  }
}

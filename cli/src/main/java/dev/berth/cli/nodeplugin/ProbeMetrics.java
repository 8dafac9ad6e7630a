package dev.berth.cli.nodeplugin;

import dev.berth.csi.GoCode;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.driver.process.Liveness;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// How long drivers take to answer probes, as upstream's livenessprobe counts it (LIV-03).
final class ProbeMetrics {
  private static final String METHOD =
      "/" + IdentityGrpc.getProbeMethod().getFullMethodName(); // as Go writes it

  private final Histogram seconds;

  /// @param registry has no such metric yet
  ProbeMetrics(PrometheusRegistry registry) {
    seconds =
        Histogram.builder()
            .name("csi_sidecar_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total")
            .labelNames("driver_name", "method_name", "grpc_status_code")
            .classicOnly()
            .classicUpperBounds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .register(registry);
  }

  Liveness.Witness of(String driver) {
    return (code, took) ->
        seconds.labelValues(driver, METHOD, GoCode.of(code)).observe(took.toNanos() / 1e9);
  }
}

package dev.berth.sidecar.metric;

import dev.berth.csi.GoCode;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/// How long drivers take to answer, as csi-lib-utils counts it for every sidecar (PROV-185,
/// LIV-03). One for each registry.
public final class CallMetrics {
  private final Histogram seconds;

  public CallMetrics(PrometheusRegistry registry) {
    seconds =
        Histogram.builder()
            .name("csi_sidecar_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total")
            .labelNames("driver_name", "method_name", "grpc_status_code")
            .classicOnly()
            .classicUpperBounds(.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .withoutExemplars()
            .register(registry);
  }

  /// @param method its full name, such as `csi.v1.Identity/Probe`
  public void answered(String driver, String method, Status.Code code, Duration took) {
    seconds.labelValues(driver, "/" + method, GoCode.of(code)).observe(took.toNanos() / 1e9);
  }
}

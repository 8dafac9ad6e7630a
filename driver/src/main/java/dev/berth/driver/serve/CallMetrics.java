package dev.berth.driver.serve;

import dev.berth.csi.GoCode;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/// How long calls take, as upstream's drivers count it (PRA-02).
public final class CallMetrics {
  private final Histogram seconds;

  /// @param registry has no such metric yet: make one object for all drivers of a process
  public CallMetrics(PrometheusRegistry registry) {
    seconds =
        Histogram.builder()
            .name("csi_plugin_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total")
            .labelNames("driver_name", "method_name", "grpc_status_code")
            .classicOnly()
            .classicUpperBounds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .register(registry);
  }

  void observe(String driverName, String method, Status.Code code, Duration took) {
    seconds.labelValues(driverName, method, GoCode.of(code)).observe(took.toNanos() / 1e9);
  }
}

package dev.berth.sidecar.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/// How drivers answer when they are asked for the health of volumes (VH-20).
public final class HealthMetrics {
  private final Counter probes;
  private final Histogram seconds;
  private final Counter unknown;
  private final Counter dropped;

  /// @param registry has none of them yet: make one object for all drivers of a process
  public HealthMetrics(PrometheusRegistry registry) {
    probes =
        Counter.builder()
            .name("csi_volume_health_probe_total")
            .help("Questions to drivers about the health of volumes")
            .labelNames("method", "result")
            .register(registry);
    seconds =
        Histogram.builder()
            .name("csi_volume_health_probe_duration_seconds")
            .help("How long these questions took")
            .labelNames("method")
            .classicOnly()
            .classicUpperBounds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .register(registry);
    unknown =
        Counter.builder()
            .name("csi_volume_health_unknown_condition_total")
            .help("Conditions that drivers told of and that are not understood here")
            .register(registry);
    dropped =
        Counter.builder()
            .name("csi_volume_health_status_writes_dropped_total")
            .help("Writes of health that the API server dropped: its gate CSIVolumeHealth is off")
            .register(registry);
  }

  void asked(String method, boolean answered, Duration took) {
    probes.labelValues(method, answered ? "success" : "error").inc();
    seconds.labelValues(method).observe(took.toNanos() / 1e9);
  }

  void unknown(int conditions) {
    unknown.inc(conditions);
  }

  void dropped() {
    dropped.inc();
  }
}

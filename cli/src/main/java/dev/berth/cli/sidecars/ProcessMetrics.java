package dev.berth.cli.sidecars;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;

/// What every Prometheus client of Go's tells of its process, as far as alerts ask for it.
public final class ProcessMetrics {
  private ProcessMetrics() {}

  /// Shows it in `registry` from now on.
  public static void register(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("process_start_time_seconds")
        .help("Start time of the process since unix epoch in seconds.")
        .callback(gauge -> gauge.call(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3))
        .register(registry);
  }
}

package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.discovery.Discovery;
import dev.berth.driver.spi.Measured;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// The looks at a node's drives in figures (BM-202).
public record DiscoveryFigures(Discovery discovery) implements Measured {
  private static final String PREFIX = "berth_baremetal_";

  @Override
  public void measure(PrometheusRegistry registry) {
    CounterWithCallback.builder()
        .name(PREFIX + "discovery_passes_total")
        .help("Looks at the drives of this node, by whether they succeeded")
        .labelNames("result")
        .callback(values -> {
          var passes = discovery.passes();
          values.call((double) passes.succeeded(), "success");
          values.call((double) passes.failed(), "failure");
        })
        .register(registry);
    CounterWithCallback.builder()
        .name(PREFIX + "discovery_seconds_total")
        .help("How long these looks took together")
        .callback(values -> values.call(discovery.passes().spent().toNanos() / 1e9))
        .register(registry);
    GaugeWithCallback.builder()
        .name(PREFIX + "discovery_drives")
        .help("Drives that the last look has found")
        .callback(values -> values.call(discovery.passes().drives()))
        .register(registry);
  }
}

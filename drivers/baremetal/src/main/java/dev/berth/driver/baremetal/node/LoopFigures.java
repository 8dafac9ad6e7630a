package dev.berth.driver.baremetal.node;

import dev.berth.driver.spi.Measured;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// What the loops of a driver do in figures, among those of its process (BM-202).
///
/// @param loops where they are counted
public record LoopFigures(PrometheusRegistry loops) implements Measured {
  @Override
  public void measure(PrometheusRegistry registry) {
    MultiCollector all = loops::scrape;
    registry.register(all);
  }
}

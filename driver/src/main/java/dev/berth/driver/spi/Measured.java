package dev.berth.driver.spi;

import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// Has figures of its own to show, beside those of its calls: no capability of CSI, a part as any
/// other.
public interface Measured {
  /// Called once, before the driver serves, where figures are shown.
  ///
  /// @param registry shows what is registered there
  void measure(PrometheusRegistry registry);
}

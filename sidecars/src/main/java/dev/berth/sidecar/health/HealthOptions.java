package dev.berth.sidecar.health;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/// How the health monitor works; defaults are upstream's.
///
/// @param listInterval time between two walks through all volumes (HM-02)
/// @param monitorInterval time in which each volume is asked for once, where the driver lists none
///   (HM-10)
/// @param workers how many volumes may be asked for at the same time
/// @param timeout how long one call may take
/// @param nodeWatcher whether claims are told of nodes that fail (HM-05)
/// @param metrics one object for all drivers of a process
public record HealthOptions(
    Duration listInterval,
    Duration monitorInterval,
    int workers,
    Duration timeout,
    boolean nodeWatcher,
    HealthMetrics metrics) {
  public static final HealthOptions DEFAULT =
      new HealthOptions(
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          10,
          Duration.ofSeconds(15),
          false,
          new HealthMetrics(new PrometheusRegistry()));

  public HealthOptions {
    if (workers < 1) throw new IllegalArgumentException("workers is " + workers + ", below 1");
  }

  public HealthOptions counting(HealthMetrics others) {
    return new HealthOptions(listInterval, monitorInterval, workers, timeout, nodeWatcher, others);
  }

  Rhythm rhythm() {
    return new Rhythm(listInterval, monitorInterval, nodeWatcher);
  }
}

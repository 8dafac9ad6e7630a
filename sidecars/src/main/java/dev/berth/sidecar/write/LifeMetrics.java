package dev.berth.sidecar.write;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/// How volumes are made and deleted, as upstream's provisioner counts it (PROV-186). Only what was
/// tried counts: a claim that is not ours, or has its volume, is no failure.
public final class LifeMetrics {
  private static final String SUBSYSTEM = "controller_";

  private final Counter made;
  private final Counter notMade;
  private final Histogram making;
  private final Counter deleted;
  private final Counter notDeleted;
  private final Histogram deleting;
  private final RoomMetrics room;

  /// @param registry has none of them yet: make one object for all drivers of a process
  public LifeMetrics(PrometheusRegistry registry) {
    room = new RoomMetrics(registry);
    made =
        counter("persistentvolumeclaim_provision_total", "Volumes made for claims", "source")
            .register(registry);
    notMade =
        counter(
                "persistentvolumeclaim_provision_failed_total",
                "Attempts to make one that failed",
                "source")
            .register(registry);
    making =
        histogram(
                "persistentvolumeclaim_provision_duration_seconds",
                "How long a successful attempt took",
                "source")
            .register(registry);
    deleted = counter("persistentvolume_delete_total", "Volumes deleted").register(registry);
    notDeleted =
        counter("persistentvolume_delete_failed_total", "Attempts to delete one that failed")
            .register(registry);
    deleting =
        histogram("persistentvolume_delete_duration_seconds", "How long a successful deletion took")
            .register(registry);
  }

  private static Counter.Builder counter(String name, String help, String... labels) {
    return Counter.builder()
        .name(SUBSYSTEM + name)
        .help(help)
        .labelNames(labels(labels))
        .withoutExemplars();
  }

  private static Histogram.Builder histogram(String name, String help, String... labels) {
    return Histogram.builder()
        .name(SUBSYSTEM + name)
        .help(help)
        .labelNames(labels(labels))
        .classicOnly()
        .classicUpperBounds(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
        .withoutExemplars();
  }

  private static String[] labels(String... others) {
    return others.length == 0 ? new String[] {"class"} : new String[] {"class", others[0]};
  }

  public RoomMetrics room() {
    return room;
  }

  /// @param source kind of what the volume is filled from; empty: nothing
  public void made(String className, String source, Duration took) {
    made.labelValues(className, source).inc();
    making.labelValues(className, source).observe(took.toNanos() / 1e9);
  }

  public void notMade(String className, String source) {
    notMade.labelValues(className, source).inc();
  }

  public void deleted(String className, Duration took) {
    deleted.labelValues(className).inc();
    deleting.labelValues(className).observe(took.toNanos() / 1e9);
  }

  public void notDeleted(String className) {
    notDeleted.labelValues(className).inc();
  }
}

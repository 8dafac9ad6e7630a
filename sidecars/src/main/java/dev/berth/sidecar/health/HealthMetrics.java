package dev.berth.sidecar.health;

import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.object.ObjectKey;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// How drivers answer when they are asked for the health of volumes, and what they say (VH-20).
public final class HealthMetrics {
  private final Counter probes;
  private final Histogram seconds;
  private final Gauge status;
  private final Counter unknown;
  private final Counter dropped;
  private final Map<ObjectKey, Set<String>> shown = new ConcurrentHashMap<>();

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
    status =
        Gauge.builder()
            .name("csi_controller_volume_health_status")
            .help("What is wrong with the volumes of claims, as controllers see it: 1 for each")
            .labelNames("namespace", "persistentvolumeclaim", "status")
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

  void shows(ObjectKey claim, List<VolumeHealth> conditions) {
    var now = conditions.stream().map(VolumeHealth::status).collect(Collectors.toSet());
    var before = now.isEmpty() ? shown.remove(claim) : shown.put(claim, now);
    if (before != null)
      before.stream()
          .filter(it -> !now.contains(it))
          .forEach(it -> status.remove(claim.namespace(), claim.name(), it));
    now.forEach(it -> status.labelValues(claim.namespace(), claim.name(), it).set(1));
  }
}

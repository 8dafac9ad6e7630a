package dev.berth.node.stats;

import dev.berth.kube.object.ObjectKey;
import dev.berth.node.stats.Reading.Usage;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The kubelet's metrics of volumes, once for each claim, so that existing dashboards and alerts
/// work (NSTA-02). A pod's own volumes are told of in [Summary] alone.
public final class VolumeMetrics {
  private final VolumeStats stats;
  private final PrometheusRegistry registry;

  private VolumeMetrics(VolumeStats stats, PrometheusRegistry registry) {
    this.stats = stats;
    this.registry = registry;
  }

  public static void register(VolumeStats stats, PrometheusRegistry registry) {
    new VolumeMetrics(stats, registry).register();
  }

  private void register() {
    usage("capacity_bytes", "Capacity in bytes of the volume", Reading::bytes, Usage::total);
    usage(
        "available_bytes",
        "Number of available bytes in the volume",
        Reading::bytes,
        Usage::available);
    usage("used_bytes", "Number of used bytes in the volume", Reading::bytes, Usage::used);
    usage("inodes", "Maximum number of inodes in the volume", Reading::inodes, Usage::total);
    usage("inodes_free", "Number of free inodes in the volume", Reading::inodes, Usage::available);
    usage("inodes_used", "Number of used inodes in the volume", Reading::inodes, Usage::used);
    gauge(
        "health_status_abnormal",
        "Abnormal volume health status. The count is either 1 or 0. 1 indicates the volume is"
            + " unhealthy, 0 indicates volume is healthy",
        reading -> reading.condition().map(it -> it.abnormal() ? 1.0 : 0.0));
    var durations =
        Histogram.builder()
            .name("kubelet_volume_metric_collection_duration_seconds")
            .help("Duration in seconds to calculate volume stats")
            .labelNames("metric_source")
            .classicOnly()
            .withoutExemplars()
            .register(registry);
    stats.measure(
        (source, duration) -> durations.labelValues(source).observe(duration.toNanos() / 1e9));
  }

  private void usage(
      String name,
      String help,
      Function<Reading, Optional<Usage>> part,
      ToLongFunction<Usage> number) {
    gauge(name, help, reading -> part.apply(reading).map(it -> (double) number.applyAsLong(it)));
  }

  private void gauge(String name, String help, Function<Reading, Optional<Double>> value) {
    GaugeWithCallback.builder()
        .name("kubelet_volume_stats_" + name)
        .help(help)
        .labelNames("namespace", "persistentvolumeclaim")
        .callback(callback ->
            byClaim()
                .forEach((claim, reading) ->
                    value
                        .apply(reading)
                        .ifPresent(
                            number -> callback.call(number, claim.namespace(), claim.name()))))
        .register(registry);
  }

  /// Of several pods the one that sees something wrong counts, else the first by its uid.
  private Map<ObjectKey, Reading> byClaim() {
    var claims = new TreeMap<ObjectKey, Reading>(Comparator.comparing(ObjectKey::toString));
    stats.now().stream()
        .sorted(Comparator.comparing((Reading it) -> !it.abnormal()).thenComparing(Reading::podUid))
        .forEach(reading -> reading.claim().ifPresent(claim -> claims.putIfAbsent(claim, reading)));
    return claims;
  }
}

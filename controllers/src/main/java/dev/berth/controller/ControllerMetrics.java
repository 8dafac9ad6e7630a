package dev.berth.controller;

import dev.berth.kube.cache.Snapshot;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What kube-controller-manager's volume controllers count, by its names (MET-01, MET-02). One for
/// each registry.
public final class ControllerMetrics {
  private final Gauge forcedDetaches;
  private final Counter assignedClasses;
  private final Counter unassignedClasses;
  private final Counter claimsMade;
  private final Counter claimsNotMade;

  public ControllerMetrics(PrometheusRegistry registry) {
    // A counter of upstream's, whose name does not end as the client library's counters have to.
    forcedDetaches =
        Gauge.builder()
            .name("attach_detach_controller_attachdetach_controller_forced_detaches")
            .help("Number of times a volume was taken off a node though it may have been mounted")
            .labelNames("reason")
            .withoutExemplars()
            .register(registry);
    forcedDetaches.initLabelValues("timeout");
    forcedDetaches.initLabelValues("out-of-service");
    assignedClasses =
        counter(
            registry,
            "retroactive_storageclass_total",
            "Total number of retroactive StorageClass assignments to persistent volume claim");
    unassignedClasses =
        counter(
            registry,
            "retroactive_storageclass_errors_total",
            "Total number of failed retroactive StorageClass assignments to persistent volume"
                + " claim");
    claimsMade =
        counter(
            registry,
            "ephemeral_volume_controller_create_total",
            "Number of PersistentVolumeClaim creation requests");
    claimsNotMade =
        counter(
            registry,
            "ephemeral_volume_controller_create_failures_total",
            "Number of PersistentVolumeClaim creation requests that failed");
  }

  /// That nobody reads.
  public static ControllerMetrics unread() {
    return new ControllerMetrics(new PrometheusRegistry());
  }

  private static Counter counter(PrometheusRegistry registry, String name, String help) {
    return Counter.builder().name(name).help(help).withoutExemplars().register(registry);
  }

  /// AD-35.
  ///
  /// @param reason `timeout` or `out-of-service`
  public void forcedDetach(String reason) {
    forcedDetaches.labelValues(reason).inc();
  }

  /// Runs what gives a claim its default class (DSC-02).
  public void assigningClass(Runnable write) {
    assignedClasses.inc(); // as upstream's: attempts, whatever comes of them
    counting(unassignedClasses, write);
  }

  /// Runs what makes a pod's own claim.
  public void makingClaim(Runnable write) {
    claimsMade.inc();
    counting(claimsNotMade, write);
  }

  private static void counting(Counter failures, Runnable write) {
    try {
      write.run();
    } catch (RuntimeException failed) {
      failures.inc();
      throw failed;
    }
  }

  /// Shows how many volumes and claims there are, whenever somebody asks (MET-01).
  ///
  /// @param latest has all that the binder reads
  public static void showBound(PrometheusRegistry registry, Supplier<Snapshot> latest) {
    show(ObjectCounts.BOUND, registry, latest);
  }

  /// Shows how many volumes are attached, and are to be (MET-02).
  ///
  /// @param latest has all that attach/detach reads
  public static void showAttached(PrometheusRegistry registry, Supplier<Snapshot> latest) {
    show(ObjectCounts.ATTACHED, registry, latest);
  }

  private static void show(
      List<ObjectCounts> counts, PrometheusRegistry registry, Supplier<Snapshot> latest) {
    for (var count : counts)
      GaugeWithCallback.builder()
          .name(count.name())
          .help(count.help())
          .labelNames(count.labels().toArray(String[]::new))
          .callback(gauge ->
              by(count.of().apply(latest.get()))
                  .forEach((labels, sum) -> gauge.call(sum, labels.split("\0", -1))))
          .register(registry);
  }

  private static Map<String, Integer> by(Stream<Stream<String>> objects) {
    var sums = new TreeMap<String, Integer>();
    objects
        .map(labels -> String.join("\0", labels.toList()))
        .forEach(labels -> sums.merge(labels, 1, Integer::sum));
    return sums;
  }

  /// For [ObjectCounts].
  interface Counted extends Function<Snapshot, Stream<Stream<String>>> {}
}

package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.spi.Measured;
import dev.berth.kube.cache.Caches;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.Function;

/// The drives and volumes of a node in figures (BM-203): states as one figure for each word, 1 for
/// the one that holds.
///
/// @param nodeId the driver's id of the node
public record HealthFigures(String nodeId, Caches caches, VolumeCare care) implements Measured {
  private static final String PREFIX = "berth_baremetal_";

  @Override
  public void measure(PrometheusRegistry registry) {
    state(registry, "health", List.of(Health.values()), it -> it.observed().health());
    state(registry, "status", List.of(Presence.values()), it -> it.observed().presence());
    state(registry, "usage", List.of(DriveUsage.values()), it -> it.observed().usage());
    GaugeWithCallback.builder()
        .name(PREFIX + "drive_size_bytes")
        .help("Size of a drive")
        .labelNames("serial")
        .callback(values ->
            drives().forEach(it -> values.call((double) it.size(), it.identity().serial())))
        .register(registry);
    GaugeWithCallback.builder()
        .name(PREFIX + "volume_finding")
        .help("What the node has found wrong with a volume that is staged there: 1 for each")
        .labelNames("volume", "reason")
        .callback(values ->
            caches.snapshot().all(BareMetalKinds.VOLUME).stream()
                .filter(volume -> volume.nodeId().equals(nodeId))
                .forEach(volume ->
                    volume.findings().forEach(it -> values.call(1, volume.id(), it.reason()))))
        .register(registry);
    uses(registry);
  }

  private List<Drive> drives() {
    return caches.snapshot().all(BareMetalKinds.DRIVE).stream()
        .filter(it -> it.nodeId().equals(nodeId))
        .toList();
  }

  private <E extends Enum<E>> void state(
      PrometheusRegistry registry, String name, List<E> words, Function<Drive, E> read) {
    GaugeWithCallback.builder()
        .name(PREFIX + "drive_" + name)
        .help("The %s of a drive: 1 for the word that holds, 0 for the others".formatted(name))
        .labelNames("serial", name)
        .callback(values -> {
          for (var drive : drives())
            for (var word : words)
              values.call(
                  read.apply(drive) == word ? 1 : 0, drive.identity().serial(), word.name());
        })
        .register(registry);
  }

  /// What [VolumeCare] does.
  private void uses(PrometheusRegistry registry) {
    CounterWithCallback.builder()
        .name(PREFIX + "volume_uses_total")
        .help("Small uses of volumes that show whether they work, by what came of them")
        .labelNames("result")
        .callback(values -> {
          var figures = care.figures();
          values.call((double) figures.sound(), "sound");
          values.call((double) figures.failed(), "failed");
          values.call((double) figures.hung(), "hung");
          values.call((double) figures.notTried(), "not_tried");
          values.call((double) figures.leftOut(), "left_out");
        })
        .register(registry);
    CounterWithCallback.builder()
        .name(PREFIX + "volume_use_seconds_total")
        .help("How long these uses took together")
        .callback(values -> values.call(care.figures().spent().toNanos() / 1e9))
        .register(registry);
  }
}

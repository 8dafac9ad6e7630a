package dev.berth.sidecar.metric;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Translation;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// What is wrong with the volumes of claims (VH-20): what stands in the claims when it is asked
/// for, so that an ill volume is told of after a restart, and one that has gone is not.
public final class ClaimHealthMetrics {
  private ClaimHealthMetrics() {}

  /// @param serves whether volumes of the driver of this name are told of here
  public static void register(
      PrometheusRegistry registry, Supplier<Snapshot> objects, Predicate<String> serves) {
    GaugeWithCallback.builder()
        .name("csi_controller_volume_health_status")
        .help("What is wrong with the volumes of claims, as controllers see it: 1 for each")
        .labelNames("namespace", "persistentvolumeclaim", "status")
        .callback(gauge -> {
          var now = objects.get();
          for (var claim : now.all(Kinds.CLAIM))
            if (claim.isUnwell() && isOfOne(now, claim, serves)) show(claim, gauge);
        })
        .register(registry);
  }

  private static void show(Claim claim, GaugeWithCallback.Callback gauge) {
    claim.health().conditions().stream()
        .map(VolumeHealth::status)
        .distinct()
        .forEach(status -> gauge.call(1, claim.meta().namespace(), claim.meta().name(), status));
  }

  private static boolean isOfOne(Snapshot objects, Claim claim, Predicate<String> serves) {
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .flatMap(Translation.NONE::name)
        .map(VolumeName::driver)
        .filter(serves)
        .isPresent();
  }
}

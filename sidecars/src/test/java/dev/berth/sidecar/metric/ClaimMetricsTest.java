package dev.berth.sidecar.metric;

import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimMetricsTest {
  private static Tree growing(String name, String stage, String since) {
    return claim()
        .named(name)
        .with(VOLUME, "spec", "volumeName")
        .with(Map.of("storage", stage), "status", "allocatedResourceStatuses")
        .with(
            List.of(Map.of("type", "Resizing", "status", "True", "lastTransitionTime", since)),
            "status",
            "conditions");
  }

  @Test
  void whatIsStuckIsSeen() { // RSZ-98
    try (var bench = new Bench()) {
      var hour = bench.time().now().minusSeconds(3600);
      var world =
          World.of(
              volume(),
              claim().named("rests").with(VOLUME, "spec", "volumeName"),
              growing("a", "ControllerResizeInProgress", hour.toString()),
              growing("b", "ControllerResizeInProgress", hour.plusSeconds(60).toString()),
              growing("c", "NodeResizeInfeasible", hour.toString()),
              claim()
                  .named("d")
                  .with(VOLUME, "spec", "volumeName")
                  .with(
                      Map.of("status", "Pending", "targetVolumeAttributesClassName", "gold"),
                      "status",
                      "modifyVolumeStatus"));

      assertThat(told(bench, world.snapshot()))
          .containsExactlyInAnyOrder(
              "berth_resizer_claims " + DRIVER + " ControllerResizeInProgress 2.0",
              "berth_resizer_claims " + DRIVER + " NodeResizeInfeasible 1.0",
              "berth_resizer_oldest_seconds " + DRIVER + " ControllerResizeInProgress 3600.0",
              "berth_modifier_claims " + DRIVER + " Pending 1.0");
    }
  }

  @Test
  void claimsThatRestCostNothing() {
    assertThat(reads(50)).isEqualTo(reads(5));
  }

  private static int reads(int resting) {
    try (var bench = new Bench()) {
      var world = World.of(volume(), growing("a", "NodeResizePending", "2026-01-01T00:00:00Z"));
      for (int i = 0; i < resting; i++)
        world = world.with(claim().named("rests-" + i).with(VOLUME, "spec", "volumeName"));
      var counted = new Counted(Facts.of(world.snapshot()));
      assertThat(told(bench, counted)).isNotEmpty();
      return counted.reads();
    }
  }

  private static List<String> told(Bench bench, Snapshot objects) {
    var registry = new PrometheusRegistry();
    ClaimMetrics.register(registry, () -> objects, bench.time());
    return registry.scrape().stream()
        .flatMap(it ->
            ((GaugeSnapshot) it)
                .getDataPoints().stream()
                    .map(point ->
                        "%s %s %s %s"
                            .formatted(
                                it.getMetadata().getName(),
                                point.getLabels().get("driver_name"),
                                point.getLabels().get("state"),
                                point.getValue())))
        .toList();
  }
}

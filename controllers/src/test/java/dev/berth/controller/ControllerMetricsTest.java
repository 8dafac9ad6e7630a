package dev.berth.controller;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What `/metrics` says of the controllers (MET-01, MET-02).
class ControllerMetricsTest {
  private static final String FORCED =
      "attach_detach_controller_attachdetach_controller_forced_detaches";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ControllerMetrics metrics = new ControllerMetrics(registry);

  @Test
  void whatIsDoneByForceIsCountedByItsReason() { // AD-35
    metrics.forcedDetach("timeout");
    assertThat(values())
        .contains(FORCED + " {reason=timeout} 1", FORCED + " {reason=out-of-service} 0");
  }

  @Test
  void attemptsAreCountedAndFailuresBesides() { // DSC-02
    metrics.assigningClass(() -> {});
    assertThatThrownBy(() ->
            metrics.assigningClass(() -> {
              throw new IllegalStateException("no");
            }))
        .hasMessage("no");
    metrics.makingClaim(() -> {});
    assertThat(values())
        .contains(
            "retroactive_storageclass {} 2",
            "retroactive_storageclass_errors {} 1",
            "ephemeral_volume_controller_create {} 1",
            "ephemeral_volume_controller_create_failures {} 0");
  }

  @Test
  void objectsAreCountedByWhatTheyAre() {
    var objects = World.of(claim("free"), volume("pv-9")).with(bound("data", "pv-1")).snapshot();
    ControllerMetrics.showBound(registry, () -> objects);
    assertThat(values())
        .contains(
            "pv_collector_total_pv_count"
                + " {plugin_name=kubernetes.io/csi:disk.berth.dev,volume_mode=Filesystem} 2",
            "pv_collector_bound_pv_count {storage_class=fast} 1",
            "pv_collector_unbound_pv_count {storage_class=fast} 1",
            "pv_collector_bound_pvc_count"
                + " {namespace=shop,storage_class=fast,volume_attributes_class=} 1",
            "pv_collector_unbound_pvc_count"
                + " {namespace=shop,storage_class=fast,volume_attributes_class=} 1");
  }

  @Test
  void volumesAreCountedWhereTheyAreUsedAndAttached() { // MET-02
    var objects =
        World.of(
                node("node-a"),
                pod("web", "data").runningOn("node-a"),
                pod("beside", "data").runningOn("node-a"),
                pod("done", "data").runningOn("node-a").set("status.phase", "Succeeded"),
                pod("waiting", "data"),
                attachment("pv-1", "node-a"),
                attachment("pv-1", "node-b"))
            .with(bound("data", "pv-1"))
            .snapshot();
    ControllerMetrics.showAttached(registry, () -> objects);
    assertThat(values())
        .contains(
            "attachdetach_controller_total_volumes"
                + " {plugin_name=kubernetes.io/csi:disk.berth.dev,state=desired_state_of_world} 1",
            "attachdetach_controller_total_volumes"
                + " {plugin_name=kubernetes.io/csi:disk.berth.dev,state=actual_state_of_world} 2",
            "storage_count_attachable_volumes_in_use"
                + " {node=node-a,volume_plugin=kubernetes.io/csi:disk.berth.dev} 1");
  }

  /// Each value as `name {label=value,...} number`; of counters without the `_total` at the end.
  private List<String> values() {
    return registry.scrape().stream()
        .flatMap(metric ->
            metric.getDataPoints().stream()
                .map(point ->
                    "%s {%s} %d"
                        .formatted(metric.getMetadata().getName(), labels(point), value(point))))
        .toList();
  }

  private static String labels(DataPointSnapshot point) {
    return point.getLabels().stream()
        .map(label -> label.getName() + "=" + label.getValue())
        .collect(Collectors.joining(","));
  }

  private static long value(DataPointSnapshot point) {
    return switch (point) {
      case CounterDataPointSnapshot counter -> (long) counter.getValue();
      case GaugeDataPointSnapshot gauge -> (long) gauge.getValue();
      default -> throw new IllegalStateException(point.toString());
    };
  }
}

package dev.berth.controller.snapshot.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.World;
import dev.berth.kube.cache.Change;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.kube.time.Time;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// SNAP-92, SNAP-93: which operations are counted, for how long, and how they end.
class SnapshotOperationsTest {
  private static final Draft ASKED =
      Draft.of(
          """
          apiVersion: snapshot.storage.k8s.io/v1
          kind: VolumeSnapshot
          metadata: {namespace: shop, name: monday}
          spec: {volumeSnapshotClassName: fast, source: {persistentVolumeClaimName: data}}
          """);
  private static final Draft TAKEN =
      ASKED.set(
          "status",
          "{boundVolumeSnapshotContentName: c, creationTime: '2026-01-01T00:00:00Z', readyToUse:"
              + " false}");
  private static final Draft READY = TAKEN.set("status.readyToUse", "true");
  private static final World WORLD =
      World.of(
          Draft.of(
              """
              apiVersion: snapshot.storage.k8s.io/v1
              kind: VolumeSnapshotClass
              metadata: {name: fast}
              driver: disk.berth.dev
              deletionPolicy: Delete
              """));

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Clock time = new Clock();
  private final SnapshotOperations operations = new SnapshotOperations(true, time, registry);

  @Test
  void takingAndBecomingReadyAreTwo() {
    come(ASKED);
    assertThat(inFlight()).isEqualTo(2);
    time.pass(3);
    come(TAKEN);
    assertThat(inFlight()).isEqualTo(1);
    time.pass(4);
    come(READY);
    come(READY);
    assertThat(told())
        .containsExactlyInAnyOrder(
            "disk.berth.dev CreateSnapshot dynamic success 3.0",
            "disk.berth.dev CreateSnapshotAndReady dynamic success 7.0");
    assertThat(inFlight()).isZero();
  }

  @Test
  void whatIsDeletedBeforeIsCancelled() {
    come(ASKED.without("spec.volumeSnapshotClassName"));
    time.pass(1);
    come(ASKED.without("spec.volumeSnapshotClassName").deleting());
    time.pass(1);
    go(ASKED.without("spec.volumeSnapshotClassName").deleting());
    assertThat(told())
        .containsExactlyInAnyOrder(
            "unknown DeleteSnapshot dynamic success 1.0",
            "unknown CreateSnapshot dynamic cancel 2.0",
            "unknown CreateSnapshotAndReady dynamic cancel 2.0");
    assertThat(inFlight()).isZero();
  }

  @Test
  void whatIsThereAtTheStartCountsToo() {
    operations.filled(WORLD.with(TAKEN).snapshot());
    assertThat(inFlight()).isEqualTo(1);
  }

  @Test
  void groupsHaveTheirOwn() {
    var group =
        Draft.of(
            """
            apiVersion: groupsnapshot.storage.k8s.io/v1
            kind: VolumeGroupSnapshot
            metadata: {namespace: shop, name: all}
            spec: {source: {volumeGroupSnapshotContentName: ready}}
            """);
    var last = group.deleting().as(SnapshotKinds.GROUP_SNAPSHOT);
    change(Change.came(last));
    change(Change.went(last));
    assertThat(told()).containsExactly("unknown DeleteGroupSnapshot pre-provisioned success 0.0");
  }

  private void come(Draft snapshot) {
    VolumeSnapshot now = snapshot.as(SnapshotKinds.SNAPSHOT);
    operations.changed(SnapshotKinds.SNAPSHOT, Change.came(now), WORLD.snapshot());
  }

  private void go(Draft snapshot) {
    VolumeSnapshot last = snapshot.as(SnapshotKinds.SNAPSHOT);
    operations.changed(SnapshotKinds.SNAPSHOT, Change.went(last), WORLD.snapshot());
  }

  private void change(Change<GroupSnapshot> change) {
    operations.changed(SnapshotKinds.GROUP_SNAPSHOT, change, WORLD.snapshot());
  }

  private double inFlight() {
    var gauge =
        (GaugeSnapshot)
            registry.scrape(name -> name.equals("snapshot_controller_operations_in_flight")).get(0);
    return gauge.getDataPoints().getFirst().getValue();
  }

  private List<String> told() {
    var told =
        (HistogramSnapshot)
            registry
                .scrape(name -> name.equals("snapshot_controller_operation_total_seconds"))
                .get(0);
    return told.getDataPoints().stream()
        .map(point ->
            point.getLabels().stream()
                    .sorted(
                        java.util.Comparator.comparing(label ->
                            List.of(
                                    "driver_name",
                                    "operation_name",
                                    "snapshot_type",
                                    "operation_status")
                                .indexOf(label.getName())))
                    .map(label -> label.getValue())
                    .collect(Collectors.joining(" "))
                + " "
                + point.getSum())
        .toList();
  }

  /// Stands still, unless it is told to go on.
  private static final class Clock implements Time {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(long seconds) {
      now = now.plusSeconds(seconds);
    }

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public Duration elapsed() {
      return Duration.between(Instant.EPOCH, now);
    }

    @Override
    public void start(Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }
  }
}

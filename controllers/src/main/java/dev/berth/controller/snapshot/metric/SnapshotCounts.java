package dev.berth.controller.snapshot.metric;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.kube.time.Time;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How many snapshots wait, how many contents nobody has any more, and what is kept for them,
/// counted whenever somebody asks (SNAP-94, SNAP-A4). Nothing is done about any of them.
public final class SnapshotCounts {
  private static final String DRIVER = "driver_name";

  private static final String COUNTED = "counted";

  // Of those few that are shown at all: who asks does not pay for all the others.
  private static final Index<VolumeSnapshot> UNREADY =
      new Index<>(
          SnapshotKinds.SNAPSHOT, "unready", it -> it.isReady() ? List.of() : List.of(COUNTED));
  private static final Index<SnapshotContent> BEING_CREATED =
      new Index<>(
          SnapshotKinds.CONTENT,
          "being created",
          it ->
              it.meta().hasAnnotation(SnapshotAnnotations.BEING_CREATED)
                  ? List.of(COUNTED)
                  : List.of());
  private static final Index<Claim> HELD =
      new Index<>(
          Kinds.CLAIM, "held for a snapshot", it -> isHeld(it) ? List.of(COUNTED) : List.of());

  private final Time time;
  private final PrometheusRegistry registry;
  private final Supplier<Snapshot> latest;

  private SnapshotCounts(Time time, PrometheusRegistry registry, Supplier<Snapshot> latest) {
    this.time = time;
    this.registry = registry;
    this.latest = latest;
  }

  /// @param latest has snapshots, their contents and classes, and claims
  public static void show(Time time, PrometheusRegistry registry, Supplier<Snapshot> latest) {
    new SnapshotCounts(time, registry, latest).show();
  }

  private void show() {
    show(
        "unready_snapshots",
        "Number of snapshots that are not ready to use",
        objects -> count(unready(objects).map(it -> driver(it, objects))));
    show(
        "unready_snapshots_oldest_seconds",
        "Age of the oldest snapshot that is not ready to use",
        objects ->
            unready(objects)
                .collect(
                    Collectors.toMap(
                        it -> driver(it, objects), this::age, Math::max, TreeMap::new)));
    show(
        "contents_being_created",
        "Number of contents of which nobody knows whether the driver has taken a snapshot",
        objects -> count(objects.by(BEING_CREATED, COUNTED).stream().map(SnapshotContent::driver)));
    show(
        "contents_without_snapshot",
        "Number of contents with policy Delete whose snapshot is gone, and that nobody has deleted",
        objects ->
            count(
                contents(objects)
                    .filter(it -> isForgotten(it, objects))
                    .map(SnapshotContent::driver)));
    GaugeWithCallback.builder()
        .name("snapshot_controller_claims_held")
        .help("Number of claims that stay until a snapshot of them is taken")
        .callback(gauge -> gauge.call((double) latest.get().by(HELD, COUNTED).size()))
        .register(registry);
  }

  private void show(String name, String help, Function<Snapshot, Map<String, Double>> byDriver) {
    GaugeWithCallback.builder()
        .name("snapshot_controller_" + name)
        .help(help)
        .labelNames(DRIVER)
        .callback(
            gauge -> byDriver.apply(latest.get()).forEach((driver, sum) -> gauge.call(sum, driver)))
        .register(registry);
  }

  private static Map<String, Double> count(Stream<String> drivers) {
    return drivers.collect(
        Collectors.groupingBy(it -> it, TreeMap::new, Collectors.summingDouble(_ -> 1)));
  }

  private static Stream<VolumeSnapshot> unready(Snapshot objects) {
    return objects.by(UNREADY, COUNTED).stream();
  }

  private static Stream<SnapshotContent> contents(Snapshot objects) {
    return objects.all(SnapshotKinds.CONTENT).stream();
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE);
  }

  private static String driver(VolumeSnapshot snapshot, Snapshot objects) {
    return Watched.of(snapshot, objects).driver().orElse(SnapshotOperations.UNKNOWN);
  }

  private double age(VolumeSnapshot snapshot) {
    return Duration.between(snapshot.meta().created(), time.now()).toMillis() / 1000.0;
  }

  /// One that was never bound waits for its snapshot (SNAP-40).
  private static boolean isForgotten(SnapshotContent content, Snapshot objects) {
    return content.deletionPolicy() == DeletionPolicy.DELETE
        && !content.meta().deleting()
        && !content.snapshot().uid().isEmpty()
        && objects
            .get(SnapshotKinds.SNAPSHOT, content.snapshot().key())
            .found()
            .filter(it -> content.snapshot().isBoundTo(it.meta()))
            .isEmpty();
  }
}

package dev.berth.controller.snapshot.metric;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.kube.time.Time;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures what becomes of each snapshot: from the look that first finds it unready until it is
/// taken, and until it is ready; from its deletion until it is gone. What is deleted before is
/// cancelled.
public final class SnapshotOperations implements Follower {
  private static final List<Kind<?>> WITH_GROUPS =
      List.of(
          SnapshotKinds.SNAPSHOT,
          SnapshotKinds.CONTENT,
          SnapshotKinds.CLASS,
          SnapshotKinds.GROUP_SNAPSHOT,
          SnapshotKinds.GROUP_CONTENT,
          SnapshotKinds.GROUP_CLASS);

  private static final List<Kind<?>> WITHOUT_GROUPS = WITH_GROUPS.subList(0, 3);

  static final String UNKNOWN = "unknown";

  /// What upstream calls it.
  private enum Phase {
    CREATE("Create%s"),
    CREATE_AND_READY("Create%sAndReady"),
    DELETE("Delete%s");

    private final String name;

    Phase(String name) {
      this.name = name;
    }
  }

  private record Operation(Phase phase, String uid) {}

  /// @param type `dynamic` or `pre-provisioned`
  private record Begun(Instant at, String driver, String type) {}

  private final boolean groups;
  private final Time time;
  private final Histogram seconds;
  private final Gauge inFlight;

  // Touched by one thread at a time, which brings the changes.
  private final Map<Operation, Begun> begun = new HashMap<>();

  /// @param groups whether it follows groups too
  public SnapshotOperations(boolean groups, Time time, PrometheusRegistry registry) {
    this.groups = groups;
    this.time = time;
    seconds =
        Histogram.builder()
            .name("snapshot_controller_operation_total_seconds")
            .help("Total number of seconds spent by the controller on an operation")
            .labelNames("driver_name", "operation_name", "snapshot_type", "operation_status")
            .classicOnly()
            .classicUpperBounds(.1, .25, .5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600)
            .withoutExemplars()
            .register(registry);
    inFlight =
        Gauge.builder()
            .name("snapshot_controller_operations_in_flight")
            .help("Total number of operations in flight")
            .withoutExemplars()
            .register(registry);
  }

  /// What it has to be shown.
  public List<Kind<?>> kinds() {
    return groups ? WITH_GROUPS : WITHOUT_GROUPS;
  }

  @Override
  public void filled(Snapshot first) {
    for (var snapshot : first.all(SnapshotKinds.SNAPSHOT)) look(Watched.of(snapshot, first), false);
    if (groups)
      for (var group : first.all(SnapshotKinds.GROUP_SNAPSHOT))
        look(Watched.of(group, first), false);
    inFlight.set(begun.size());
  }

  @Override
  public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
    boolean gone = change.after().isEmpty();
    switch (change.latest()) {
      case VolumeSnapshot snapshot -> look(Watched.of(snapshot, with), gone);
      case GroupSnapshot group -> look(Watched.of(group, with), gone);
      default -> {} // read only
    }
    inFlight.set(begun.size());
  }

  private void look(Watched it, boolean gone) {
    if (gone) end(it);
    else if (it.meta().deleting()) begin(it, Phase.DELETE);
    else if (!it.ready()) {
      if (!it.taken()) begin(it, Phase.CREATE);
      begin(it, Phase.CREATE_AND_READY);
    }
    if (it.taken()) record(it, Phase.CREATE, "success");
    if (it.ready()) record(it, Phase.CREATE_AND_READY, "success");
  }

  private void begin(Watched it, Phase phase) {
    begun.putIfAbsent(
        new Operation(phase, it.meta().uid()),
        new Begun(time.now(), it.driver().orElse(UNKNOWN), it.type()));
  }

  private void end(Watched it) {
    record(it, Phase.DELETE, "success");
    record(it, Phase.CREATE, "cancel");
    record(it, Phase.CREATE_AND_READY, "cancel");
  }

  private void record(Watched it, Phase phase, String status) {
    Optional.ofNullable(begun.remove(new Operation(phase, it.meta().uid())))
        .ifPresent(was ->
            seconds
                .labelValues(
                    it.driver().orElse(was.driver()),
                    phase.name.formatted(it.what()),
                    was.type(),
                    status)
                .observe(Duration.between(was.at(), time.now()).toMillis() / 1000.0));
  }
}

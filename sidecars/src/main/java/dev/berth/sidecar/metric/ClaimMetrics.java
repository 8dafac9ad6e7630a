package dev.berth.sidecar.metric;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.Time;
import dev.berth.volume.Translation;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How many claims are on the way to another size or to other attributes, and how long the oldest
/// has been (RSZ-98): counted when it is asked for, from what the caches show.
public final class ClaimMetrics {
  /// Where somebody has to move: a claim that stays there is stuck.
  private static final Set<Stage> AGES = Set.of(Stage.CONTROLLER_IN_PROGRESS, Stage.NODE_PENDING);

  private static final String ON_THE_WAY = "on the way";

  /// Few are: who asks pays for those alone, however many claims there are.
  private static final Index<Claim> GROWING =
      new Index<>(
          Kinds.CLAIM,
          "growing",
          claim -> claim.growth().stage().text().isEmpty() ? List.of() : List.of(ON_THE_WAY));

  private static final Index<Claim> MODIFIED =
      new Index<>(
          Kinds.CLAIM,
          "being modified",
          claim -> claim.modification().isEmpty() ? List.of() : List.of(ON_THE_WAY));

  private final Supplier<Snapshot> objects;
  private final Time time;

  private record State(String driver, String state) {}

  private ClaimMetrics(Supplier<Snapshot> objects, Time time) {
    this.objects = objects;
    this.time = time;
  }

  public static void register(PrometheusRegistry registry, Supplier<Snapshot> objects, Time time) {
    var claims = new ClaimMetrics(objects, time);
    GaugeWithCallback.builder()
        .name("berth_resizer_claims")
        .help("Claims by how far their growth has come.")
        .labelNames("driver_name", "state")
        .callback(gauge -> count(claims.growing(), gauge))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_resizer_oldest_seconds")
        .help("How long the claim has been there that has been there longest.")
        .labelNames("driver_name", "state")
        .callback(claims::ages)
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_modifier_claims")
        .help("Claims by how far the change of their attributes has come.")
        .labelNames("driver_name", "state")
        .callback(gauge -> count(claims.modified(), gauge))
        .register(registry);
  }

  private static void count(Stream<State> states, GaugeWithCallback.Callback gauge) {
    states
        .collect(Collectors.groupingBy(it -> it, Collectors.counting()))
        .forEach((it, many) -> gauge.call(many, it.driver, it.state));
  }

  private Stream<State> growing() {
    var now = objects.get();
    return now.by(GROWING, ON_THE_WAY).stream()
        .flatMap(claim -> state(now, claim, claim.growth().stage().text()));
  }

  private Stream<State> modified() {
    var now = objects.get();
    return now.by(MODIFIED, ON_THE_WAY).stream()
        .flatMap(claim ->
            claim.modification().stream().flatMap(it -> state(now, claim, it.state().text())));
  }

  private static Stream<State> state(Snapshot objects, Claim claim, String state) {
    return driver(objects, claim).map(driver -> new State(driver, state)).stream();
  }

  private static Optional<String> driver(Snapshot objects, Claim claim) {
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .flatMap(ClaimMetrics::name)
        .map(VolumeName::driver);
  }

  private static Optional<VolumeName> name(Volume volume) {
    return Translation.NONE.name(volume);
  }

  private void ages(GaugeWithCallback.Callback gauge) {
    var now = objects.get();
    now.by(GROWING, ON_THE_WAY).stream()
        .filter(claim -> AGES.contains(claim.growth().stage()))
        .flatMap(claim ->
            state(now, claim, claim.growth().stage().text()).map(it -> new Aged(it, age(claim))))
        .collect(Collectors.toMap(Aged::state, Aged::age, Math::max))
        .forEach((it, seconds) -> gauge.call(seconds, it.driver, it.state));
  }

  private record Aged(State state, double age) {}

  private double age(Claim claim) {
    var type =
        claim.growth().stage() == Stage.NODE_PENDING
            ? ClaimCondition.FILE_SYSTEM_RESIZE_PENDING
            : ClaimCondition.RESIZING;
    Instant since =
        claim.condition(type).flatMap(ClaimCondition::since).orElse(claim.meta().created());
    return Duration.between(since, time.now()).toMillis() / 1e3;
  }
}

package dev.berth.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger.Extent;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.fact.Trigger.OnTopic;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.testing.RandomObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Whoever would come to a key is handed the change, in worlds of all kinds made by chance.
class ConcernedTest {
  private static final int WORLDS = 400;

  static final List<String> drivers = RandomObjects.DRIVERS;

  /// What each decider of a driver is asked, where not all of it goes to everybody.
  private static List<Decider<?, ?, ?>> deciders(String driver) {
    var facts =
        new DriverFacts(
            driver,
            "",
            EnumSet.allOf(PluginCapability.Service.Type.class),
            EnumSet.allOf(PluginCapability.VolumeExpansion.Type.class),
            EnumSet.allOf(ControllerServiceCapability.RPC.Type.class),
            EnumSet.allOf(GroupControllerServiceCapability.RPC.Type.class),
            Set.of(),
            Optional.empty());
    var options =
        SidecarOptions.DEFAULT
            .with(HealthOptions.DEFAULT)
            .with(
                new CapacityOptions(
                    "default",
                    Optional.empty(),
                    CapacityOptions.CENTRAL,
                    true,
                    CapacityOptions.USUAL_POLL,
                    1,
                    Duration.ofSeconds(10)));
    return SidecarDeciders.of(facts, options).parts().stream()
        .filter(Part::isOn)
        .flatMap(part -> part.works().stream())
        .<Decider<?, ?, ?>>map(work -> work.concern().decider())
        .toList();
  }

  @ParameterizedTest
  @FieldSource("drivers")
  void aChangeIsHandedToWhoeverComesToAKey(String driver) {
    var deciders = deciders(driver);
    int looks = 0;
    for (long seed = 0; seed < WORLDS; seed++) {
      var chance = new RandomObjects(seed);
      var before = chance.world(12);
      var after = new LinkedHashMap<>(before);
      var changed = chance.change(after);
      for (var decider : deciders)
        looks += checked(decider, changed.kind(), changed.key(), before, after, seed);
    }
    assertThat(looks).as("changes that concern driver %s", driver).isGreaterThan(WORLDS / 4);
  }

  private static <T extends KubeObject> int checked(
      Decider<?, ?, ?> decider,
      Kind<T> kind,
      String name,
      Map<String, JsonNode> before,
      Map<String, JsonNode> after,
      long seed) {
    int looks = 0;
    var was = Optional.ofNullable(before.get(name)).map(kind.read());
    var is = Optional.ofNullable(after.get(name)).map(kind.read());
    var change = new Change<>(was, is);
    var facts = Facts.of(snapshot(after));
    for (var trigger : decider.triggers())
      if (trigger instanceof OnKind<?, ?> on && on.kind().equals(kind)) {
        @SuppressWarnings("unchecked") // kinds are equal
        var same = (OnKind<T, ?>) on;
        var keys = same.keys().apply(change, declared(decider, facts)).toList();
        if (keys.isEmpty()) continue;
        looks++;
        if (same.of() instanceof Extent.Part<T>(var share))
          assertThat(share.dispatch().to().apply(change, facts))
              .as("seed %s: %s comes to %s by %s", seed, decider.name(), keys, change)
              .matches(to ->
                  to.contains(Dispatch.EVERYBODY) || share.names().stream().anyMatch(to::contains));
      }
    return looks;
  }

  /// A watch that has missed something tells of both at once.
  @ParameterizedTest
  @FieldSource("drivers")
  void anotherOfTheSameNameIsOneThatWentAndOneThatCame(String driver) {
    int looks = 0;
    for (long seed = 0; seed < WORLDS; seed++) {
      var chance = new RandomObjects(seed);
      var before = chance.world(12);
      var after = new LinkedHashMap<>(before);
      var changed = chance.replace(after);
      for (var decider : deciders(driver))
        looks += replaced(decider, driver, changed, before, after, seed);
    }
    assertThat(looks).as("looks at what is replaced").isGreaterThan(WORLDS / 8);
  }

  private static <K, V> int replaced(
      Decider<K, V, ?> decider,
      String driver,
      RandomObjects.Changed changed,
      Map<String, JsonNode> before,
      Map<String, JsonNode> after,
      long seed) {
    var facts = declared(decider, Facts.of(snapshot(after)));
    int looks = 0;
    for (var trigger : decider.triggers())
      if (trigger instanceof OnKind<?, K> on && on.kind().equals(changed.kind())) {
        var two = new HashSet<K>();
        var one = replaced(on, driver, changed.key(), before, after, facts, two);
        var view = decider.view(facts, Instant.EPOCH);
        two.removeIf(key -> decider.decide(view, key).equals(new Settled()));
        assertThat(one).as("seed %s: %s, %s", seed, decider.name(), changed).containsAll(two);
        looks += two.size();
      }
    return looks;
  }

  /// @param two is given the keys of one change for each of the two
  /// @return those of the change that is both
  private static <T extends KubeObject, K> Set<K> replaced(
      OnKind<T, K> on,
      String driver,
      String name,
      Map<String, JsonNode> before,
      Map<String, JsonNode> after,
      Facts facts,
      Set<K> two) {
    var was = Optional.ofNullable(before.get(name)).map(on.kind().read());
    var is = Optional.ofNullable(after.get(name)).map(on.kind().read());
    if (was.isEmpty() || is.isEmpty()) return Set.of();
    var both = Change.changed(was.get(), is.get());
    if (!both.isComingOrGoing() || isAlike(was.get(), is.get(), driver)) return Set.of();
    // what has gone is not looked at itself
    on.keys()
        .apply(Change.went(was.get()), facts)
        .filter(key -> !key.equals(was.get().meta().key()))
        .forEach(two::add);
    on.keys().apply(Change.came(is.get()), facts).forEach(two::add);
    return on.keys().apply(both, facts).collect(toSet());
  }

  /// Of a node only its labels and the driver's entry count.
  private static boolean isAlike(KubeObject was, KubeObject is, String driver) {
    return was instanceof CsiNode before
            && is instanceof CsiNode after
            && before.driver(driver).equals(after.driver(driver))
        || was instanceof Node && was.meta().labels().equals(is.meta().labels());
  }

  @ParameterizedTest
  @FieldSource("drivers")
  void atTheStartNothingIsLeftOut(String driver) {
    int looks = 0;
    for (long seed = 0; seed < WORLDS; seed++) {
      var facts = Facts.of(snapshot(new RandomObjects(seed).world(16)));
      for (var decider : deciders(driver))
        looks += started(decider, declared(decider, facts), facts, seed);
    }
    assertThat(looks).isGreaterThan(WORLDS);
  }

  /// Whatever an object makes worth a look is looked at, be it for another's sake.
  private static <K> int started(Decider<K, ?, ?> decider, Facts facts, Facts every, long seed) {
    var all = decider.triggers().stream().flatMap(it -> keys(it, facts, true)).collect(toSet());
    var told = decider.triggers().stream().flatMap(it -> keys(it, facts, false)).collect(toSet());
    all.removeIf(key -> isToldByASource(key) || isLost(key, every));
    assertThat(told).as("seed %s: %s", seed, decider.name()).containsAll(all);
    return all.size();
  }

  /// What the decider may read: a trigger that reads more breaks in the loop.
  private static Facts declared(Decider<?, ?, ?> decider, Facts facts) {
    var kinds = new HashSet<Kind<?>>();
    var topics = new HashSet<Topic<?>>();
    for (var trigger : decider.triggers())
      switch (trigger) {
        case OnKind<?, ?> on -> kinds.add(on.kind());
        case OnTopic<?, ?> on -> topics.add(on.topic());
      }
    return facts.only(kinds, topics);
  }

  private static <K> java.util.stream.Collector<K, ?, Set<K>> toSet() {
    return Collectors.toSet();
  }

  private static boolean isToldByASource(Object key) {
    return key.toString().startsWith("Everything");
  }

  /// There is nothing to do for it before its volume comes back.
  private static boolean isLost(Object key, Facts facts) {
    return key instanceof ObjectKey claim
        && facts
            .get(Kinds.CLAIM, claim)
            .found()
            .map(Claim::volumeName)
            .filter(pv -> !pv.isEmpty())
            .filter(pv -> facts.get(Kinds.VOLUME, ObjectKey.cluster(pv)).found().isEmpty())
            .isPresent();
  }

  private static <K> Stream<K> keys(
      dev.berth.kube.fact.Trigger<?, K> trigger, Facts facts, boolean whole) {
    return trigger instanceof OnKind<?, K> on ? keysOf(on, facts, whole) : Stream.empty();
  }

  private static <T extends KubeObject, K> Stream<K> keysOf(
      OnKind<T, K> on, Facts facts, boolean whole) {
    return (whole ? facts.all(on.kind()).stream() : on.all(facts))
        .flatMap(object -> on.keys().apply(Change.came(object), facts));
  }

  private static Snapshots snapshot(Map<String, JsonNode> trees) {
    var snapshot = Snapshots.empty();
    for (var kind : DriverSidecars.KINDS)
      snapshot =
          snapshot.read(
              kind,
              trees.entrySet().stream()
                  .filter(it -> it.getKey().startsWith(kind.resource().kind() + "/"))
                  .map(Map.Entry::getValue)
                  .toList());
    return snapshot;
  }
}

package dev.berth.node.health;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.StorageEffect.Ask;
import dev.berth.node.health.StorageEffect.Forget;
import dev.berth.node.health.StorageEffect.WriteStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Asks the drivers of this node once a minute how the storage behind them is, as it is seen from
/// here, and tells it in the node's own CSINode (VH-08 to VH-11). By the names of drivers.
///
/// @param node name of this node
public record StorageHealths(String node)
    implements Decider<String, StorageHealths.View, StorageEffect> {
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// How long nothing is written of a driver after the server has not kept it (VH-16).
  private static final Duration DROPPED = Duration.ofMinutes(10);

  /// What there is to see.
  ///
  /// @param now time of the look
  public record View(Facts facts, Instant now) {
    private KnownStorage known() {
      return facts.of(KnownStorage.TOPIC);
    }
  }

  @Override
  public String name() {
    return "storage-health";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.CSI_NODE,
            (change, facts) ->
                change.latest().meta().name().equals(node)
                    ? Stream.concat(
                            change.latest().storage().keySet().stream(),
                            facts.of(KnownStorage.TOPIC).drivers().keySet().stream())
                        .distinct()
                    : Stream.of()),
        Trigger.on(Drivers.TOPIC, (news, _) -> both(news.before(), news.after())),
        Trigger.on(
            Drivers.REGISTRATIONS,
            (news, _) ->
                news.after().keySet().stream()
                    .filter(it -> !Objects.equals(news.before().get(it), news.after().get(it)))),
        Trigger.on(
            KnownStorage.TOPIC,
            (news, _) ->
                both(news.before().drivers().keySet(), news.after().drivers().keySet())
                    .filter(it -> !news.before().of(it).equals(news.after().of(it)))));
  }

  private static Stream<String> both(Set<String> before, Set<String> after) {
    var all = new HashSet<>(before);
    all.addAll(after);
    return all.stream();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, String driver) {
    var csiNode = view.facts().get(Kinds.CSI_NODE, ObjectKey.cluster(node)).found();
    boolean here = view.facts().of(Drivers.TOPIC).contains(driver);
    var word = view.known().of(driver);
    if (!here && word.isPresent()) return new Act(new Forget(driver));
    if (here && isDue(view, driver, word)) return new Act(new Ask(driver));
    var wanted = csiNode.flatMap(it -> wanted(view, it, driver, here, word));
    var again = word.filter(KnownStorage.Word::speaks).map(it -> it.asked().plus(PERIOD));
    if (wanted.isEmpty()) return settled(again);
    var later = view.known().dropped(driver).map(it -> it.plus(DROPPED));
    if (later.isPresent() && later.get().isAfter(view.now())) return settled(again.or(() -> later));
    return new Act(new WriteStorage(csiNode.orElseThrow().ref(), driver, wanted.get()));
  }

  private static Settled settled(Optional<Instant> again) {
    return again.map(it -> new Settled().lookAgainAt(it)).orElseGet(Settled::new);
  }

  /// VH-01: who does not speak of it is not asked again, but who takes over its name is.
  private static boolean isDue(View view, String driver, Optional<KnownStorage.Word> word) {
    long registration = view.facts().of(Drivers.REGISTRATIONS).getOrDefault(driver, 0L);
    return word.isEmpty()
        || registration > word.get().registration()
        || (word.get().speaks() && !word.get().asked().plus(PERIOD).isAfter(view.now()));
  }

  /// What is to be written; empty: it is written already, or nobody knows. VH-11: the driver's word
  /// replaces what stands there, and who could not be asked has not said that all is well.
  private static Optional<List<StorageHealth>> wanted(
      View view, CsiNode csiNode, String driver, boolean here, Optional<KnownStorage.Word> word) {
    var written = csiNode.storage().getOrDefault(driver, List.of());
    boolean gone = !here && csiNode.driver(driver).isEmpty();
    boolean silent = word.filter(it -> !it.speaks()).isPresent();
    if (gone || silent) return written.isEmpty() ? Optional.empty() : Optional.of(List.of());
    return word.flatMap(KnownStorage.Word::conditions)
        .filter(said -> !WriteStorage.words(written).equals(WriteStorage.words(said)))
        .map(said -> dated(written, said, view.now()));
  }

  /// Each has come up when it was first said, whatever its message.
  private static List<StorageHealth> dated(
      List<StorageHealth> written, List<StorageHealth> said, Instant now) {
    var since =
        written.stream()
            .collect(Collectors.toMap(StorageHealth::identity, Function.identity(), (a, _) -> a));
    return said.stream()
        .map(it ->
            it.since(
                Optional.ofNullable(since.get(it.identity()))
                    .flatMap(StorageHealth::since)
                    .orElse(now)))
        .toList();
  }

  @Override
  public Class<StorageEffect> effectType() {
    return StorageEffect.class;
  }

  /// It makes nobody wait.
  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}

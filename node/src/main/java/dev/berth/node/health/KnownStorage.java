package dev.berth.node.health;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.StorageHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// What this process knows of the storage behind its node.
///
/// @param drivers what they said
/// @param dropped when the server has not kept what was last written of a driver (VH-16): one whose
///   condition it does not take holds up no other
record KnownStorage(PMap<String, Word> drivers, PMap<String, Instant> dropped) {
  static final KnownStorage NOTHING = new KnownStorage(HashTreePMap.empty(), HashTreePMap.empty());

  static final Topic<KnownStorage> TOPIC =
      new Topic<>("health of the storage behind the node", NOTHING);

  /// What a driver said.
  ///
  /// @param registration which of the driver was asked: another may say more
  /// @param asked when it was asked last
  /// @param speaks whether it tells of this at all; who does not is not asked again, but another
  ///   registration
  /// @param conditions what it said last; empty: it never answered
  record Word(
      long registration, Instant asked, boolean speaks, Optional<List<StorageHealth>> conditions) {}

  Optional<Word> of(String driver) {
    return Optional.ofNullable(drivers.get(driver));
  }

  KnownStorage with(String driver, Word word) {
    return new KnownStorage(drivers.plus(driver, word), dropped);
  }

  KnownStorage without(String driver) {
    return new KnownStorage(drivers.minus(driver), dropped);
  }

  Optional<Instant> dropped(String driver) {
    return Optional.ofNullable(dropped.get(driver));
  }

  KnownStorage dropping(String driver, Instant when) {
    return new KnownStorage(drivers, dropped.plus(driver, when));
  }

  KnownStorage keeping(String driver) {
    return new KnownStorage(drivers, dropped.minus(driver));
  }
}

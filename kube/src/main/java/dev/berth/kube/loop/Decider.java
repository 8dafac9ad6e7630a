package dev.berth.kube.loop;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// One concern of Kubernetes' storage, as far as it can be thought: what it reads and what it comes
/// to. It does nothing, so that whoever wants to know what it would do can ask it; what it asks for
/// is done by its [Effects].
///
/// Always: pure. No clock, API, logger, lock or field that changes can be reached from one; the
/// same view gives the same step (`DecidersArchitectureTest`).
///
/// @param <K> what it decides about, one at a time: an object's key, a volume's handle; a value
/// @param <V> what it sees: a record made from facts
/// @param <E> what it may ask for: a sealed type
public interface Decider<K, V, E extends Effect> {
  /// Name in logs, metrics and explanations, such as `attacher`.
  String name();

  /// Which changes of which kinds and topics make which keys worth a look. Everything that the view
  /// reads stands here: the loop starts only after the caches of these kinds are filled, and shows
  /// a view nothing else.
  List<Trigger<?, K>> triggers();

  /// What there is to see at one moment.
  ///
  /// @param now time of the look, the only clock that a decision has
  V view(Facts facts, Instant now);

  /// The next step for `key`.
  Step decide(V view, K key);

  /// Type of every effect that a step may ask for; [NoEffect] if it only waits.
  Class<E> effectType();

  /// The keys under which it decides about an object, for explanations.
  ///
  /// @return none if the object is not its concern
  Stream<K> about(Ref subject, Snapshot objects);
}

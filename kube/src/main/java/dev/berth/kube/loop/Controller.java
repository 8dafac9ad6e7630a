package dev.berth.kube.loop;

import dev.berth.kube.cache.Snapshot;
import java.time.Instant;
import java.util.List;

/// One concern of Kubernetes' storage: which objects it looks at, what it decides, what it can do.
///
/// @param <K> what it decides about, one at a time: an object's key, a volume's handle; a value
/// @param <V> what it sees: a record made from a snapshot of the caches
public interface Controller<K, V> {
  /// Name in logs, metrics and explanations, such as `attacher`.
  String name();

  /// Which changes of which kinds make which keys worth a look. Every kind that the view reads
  /// stands here, since the loop starts only after the caches of these kinds are filled.
  List<Trigger<?, K>> triggers();

  /// What there is to see at one moment.
  ///
  /// @param now time of the look, the only clock that a decision has
  V view(Snapshot objects, Instant now);

  /// The next step for `key`. Pure: no clock, no I/O, no memory; the same view gives the same step.
  Step decide(V view, K key);

  /// Does what a decision asked for; blocks until it is done. Called on a virtual thread, never
  /// twice at once for one key.
  ///
  /// @throws Exception if it was not, or perhaps not, done: the loop decides again after its
  ///   back-off
  void carryOut(Effect effect) throws Exception;
}

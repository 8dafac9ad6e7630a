package dev.berth.kube.loop;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Turns a change of an object of one kind into the keys that may now decide otherwise.
///
/// @param kind what to watch
/// @param keys the keys to look at, given the change and the snapshot that has it
public record Trigger<T extends KubeObject, K>(
    Kind<T> kind, BiFunction<Change<T>, Snapshot, Stream<K>> keys) {

  /// A trigger by change and snapshot.
  public static <T extends KubeObject, K> Trigger<T, K> on(
      Kind<T> kind, BiFunction<Change<T>, Snapshot, Stream<K>> keys) {
    return new Trigger<>(kind, keys);
  }

  /// The view reads this kind, but a change of it alone changes no decision.
  public static <T extends KubeObject, K> Trigger<T, K> none(Kind<T> kind) {
    return new Trigger<>(kind, (_, _) -> Stream.empty());
  }
}

package dev.berth.kube.fact;

import dev.berth.kube.cache.Change;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Turns a change of what a decider reads into the keys that may now decide otherwise.
///
/// @param <C> what changes: objects of a kind, or what is known of a topic
public sealed interface Trigger<C, K> {
  /// A change of an object.
  ///
  /// @param keys the keys to look at, given the change and the facts that have it
  record OnKind<T extends KubeObject, K>(
      Kind<T> kind, BiFunction<? super Change<T>, ? super Facts, Stream<K>> keys)
      implements Trigger<T, K> {}

  /// A change of what a source tells. At the start all that it tells is news.
  ///
  /// @param keys the keys to look at, given the news and the facts that have it
  record OnTopic<S, K>(Topic<S> topic, BiFunction<? super News<S>, ? super Facts, Stream<K>> keys)
      implements Trigger<S, K> {}

  static <T extends KubeObject, K> Trigger<T, K> on(
      Kind<T> kind, BiFunction<? super Change<T>, ? super Facts, Stream<K>> keys) {
    return new OnKind<>(kind, keys);
  }

  static <S, K> Trigger<S, K> on(
      Topic<S> topic, BiFunction<? super News<S>, ? super Facts, Stream<K>> keys) {
    return new OnTopic<>(topic, keys);
  }

  /// The view reads this kind, but a change of it alone changes no decision.
  static <T extends KubeObject, K> Trigger<T, K> none(Kind<T> kind) {
    return new OnKind<>(kind, (_, _) -> Stream.empty());
  }

  /// The view reads this topic, but a change of it alone changes no decision.
  static <S, K> Trigger<S, K> none(Topic<S> topic) {
    return new OnTopic<>(topic, (_, _) -> Stream.empty());
  }
}

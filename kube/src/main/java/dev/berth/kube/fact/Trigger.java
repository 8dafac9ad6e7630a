package dev.berth.kube.fact;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch.Share;
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
  /// @param of which changes of the kind it asks for
  /// @param keys the keys to look at, given the change and the facts that have it
  record OnKind<T extends KubeObject, K>(
      Kind<T> kind, Extent<T> of, BiFunction<? super Change<T>, ? super Facts, Stream<K>> keys)
      implements Trigger<T, K> {
    /// The objects whose coming is asked for, as they are at the start; one may come twice.
    public Stream<T> all(Facts first) {
      return switch (of) {
        case Extent.Whole<T> _ -> first.all(kind).stream();
        case Extent.Part<T>(var share) -> share.all(first);
        case Extent.None<T> _ -> Stream.empty();
      };
    }
  }

  /// Which changes of a kind are asked for.
  sealed interface Extent<T extends KubeObject> {
    /// Every one.
    record Whole<T extends KubeObject>() implements Extent<T> {}

    /// Those that are handed on.
    record Part<T extends KubeObject>(Share<T> share) implements Extent<T> {}

    /// Not one: the kind is only read.
    record None<T extends KubeObject>() implements Extent<T> {}
  }

  /// A change of what a source tells. At the start all that it tells is news.
  ///
  /// @param keys the keys to look at, given the news and the facts that have it
  record OnTopic<S, K>(Topic<S> topic, BiFunction<? super News<S>, ? super Facts, Stream<K>> keys)
      implements Trigger<S, K> {}

  static <T extends KubeObject, K> Trigger<T, K> on(
      Kind<T> kind, BiFunction<? super Change<T>, ? super Facts, Stream<K>> keys) {
    return new OnKind<>(kind, new Extent.Whole<>(), keys);
  }

  /// Only of the changes that are handed on.
  static <T extends KubeObject, K> Trigger<T, K> on(
      Share<T> share, BiFunction<? super Change<T>, ? super Facts, Stream<K>> keys) {
    return new OnKind<>(share.dispatch().kind(), new Extent.Part<>(share), keys);
  }

  static <S, K> Trigger<S, K> on(
      Topic<S> topic, BiFunction<? super News<S>, ? super Facts, Stream<K>> keys) {
    return new OnTopic<>(topic, keys);
  }

  /// The view reads this kind, but a change of it alone changes no decision.
  static <T extends KubeObject, K> Trigger<T, K> none(Kind<T> kind) {
    return new OnKind<>(kind, new Extent.None<>(), (_, _) -> Stream.empty());
  }

  /// The view reads this topic, but a change of it alone changes no decision.
  static <S, K> Trigger<S, K> none(Topic<S> topic) {
    return new OnTopic<>(topic, (_, _) -> Stream.empty());
  }
}

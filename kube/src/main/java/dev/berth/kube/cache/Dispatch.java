package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.Collection;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Whom a change of a kind concerns, where many follow the kind and each wants few of its objects:
/// asked once for each change, however many follow. Identity counts: keep each in a constant.
///
/// @param name for messages
/// @param to the names that a change is handed on under; [#EVERYBODY]: to each who follows this
///   way. Asked with the caches' lock held, so it is pure and looks up no more than the object says
/// @param of the objects whose coming concerns a name, as they are at the start
public record Dispatch<T extends KubeObject>(
    Kind<T> kind,
    String name,
    BiFunction<? super Change<T>, ? super Snapshot, ? extends Collection<String>> to,
    BiFunction<? super String, ? super Snapshot, Stream<T>> of) {
  /// A name that nobody has: it means all.
  public static final String EVERYBODY = "*";

  /// What is handed on under some names.
  ///
  /// @param names those of who follows
  public record Share<T extends KubeObject>(Dispatch<T> dispatch, Set<String> names) {
    public Share {
      names = Set.copyOf(names);
    }

    /// All that there is of it at the start; an object may come twice.
    public Stream<T> all(Snapshot objects) {
      return names.stream().flatMap(name -> dispatch.of().apply(name, objects));
    }
  }

  /// @param names of who follows
  public Share<T> share(String... names) {
    return new Share<>(this, Set.of(names));
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}

package dev.berth.kube.cache;

import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What objects of several kinds come to together under a value that they hold: a node with what is
/// on it, say. Kept up with each change, so that asking costs the same however many objects there
/// are. Identity counts: keep each in a constant.
///
/// @param name for messages
/// @param none under a value that no object holds
/// @param parts what each kind adds
/// @param <S> immutable; equal to `none` once everything that was added is taken away
public record Summary<S>(String name, S none, List<Part<?, S>> parts) {
  public Summary {
    parts = List.copyOf(parts);
  }

  /// What the objects of one kind add.
  ///
  /// @param values under which an object counts
  /// @param plus the summary with an object more
  /// @param minus the summary without one that was added
  public record Part<T extends KubeObject, S>(
      Kind<T> kind,
      Function<T, Collection<String>> values,
      BiFunction<S, T, S> plus,
      BiFunction<S, T, S> minus) {}

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}

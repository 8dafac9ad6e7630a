package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What objects of several kinds come to together under a value that they hold: a node with what is
/// on it, say. Kept up with each change, so that asking costs the same however many objects there
/// are.
///
/// @param id two of one id are one. Keep each in a constant that is its own; where it depends on
///   something of which there are few, a record of that: each that was ever asked for is kept up
/// @param name for messages
/// @param none under a value that no object holds
/// @param parts what each kind adds
/// @param rank where a row stands beside the others; empty: it is none of those that are ranked
/// @param <S> immutable; equal to `none` once everything that was added is taken away
public record Summary<S>(
    Object id, String name, S none, List<Part<?, S>> parts, Function<S, Optional<Rank>> rank) {
  public Summary {
    parts = List.copyOf(parts);
  }

  /// One that is its own, and ranks nothing.
  public Summary(String name, S none, List<Part<?, S>> parts) {
    this(new Object(), name, none, parts, _ -> Optional.empty());
  }

  /// Where a row stands: lower groups come first; in a group the places are a ring, which each who
  /// asks goes round from a place of his own.
  public record Rank(int group, int place) {}

  /// What the objects of one kind add.
  ///
  /// @param values under which an object counts, each once
  /// @param plus the summary with an object more
  /// @param minus the summary without one that was added
  public record Part<T extends KubeObject, S>(
      Kind<T> kind,
      Function<T, Collection<String>> values,
      BiFunction<S, T, S> plus,
      BiFunction<S, T, S> minus) {}

  @Override
  public boolean equals(Object other) {
    return other instanceof Summary<?> it && id.equals(it.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}

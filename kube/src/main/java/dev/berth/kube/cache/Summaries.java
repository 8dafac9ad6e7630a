package dev.berth.kube.cache;

import dev.berth.kube.cache.Summary.Part;
import dev.berth.kube.cache.Summary.Rank;
import dev.berth.kube.map.OrderedTrie;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// The summaries of one snapshot. One is made when it is first asked for and kept up from then on.
final class Summaries {
  private final Set<Summary<?>> asked;
  private volatile PMap<Summary<?>, Table<?>> tables;

  private Summaries(Set<Summary<?>> asked, PMap<Summary<?>, Table<?>> tables) {
    this.asked = asked;
    this.tables = tables;
  }

  static Summaries none() {
    return new Summaries(ConcurrentHashMap.newKeySet(), HashTreePMap.empty());
  }

  /// @param objects of which these are the summaries
  <S> S get(Summary<S> summary, String value, Snapshot objects) {
    return table(summary, objects).get(value);
  }

  <S> Collection<S> all(Summary<S> summary, Snapshot objects) {
    return table(summary, objects).rows.values();
  }

  <S> Iterable<S> ranked(Summary<S> summary, int place, Snapshot objects) {
    return table(summary, objects).ranking.from(place);
  }

  /// After a change.
  ///
  /// @param objects as they were before it
  <T extends KubeObject> Summaries changed(
      Kind<T> kind, @Nullable T before, @Nullable T after, Shelves objects) {
    var next = tables;
    for (var summary : asked) {
      if (!canBeMade(summary, objects)) next = next.minus(summary); // not kept without this change
      else if (!next.containsKey(summary) || isOf(summary, kind))
        next = next.plus(summary, table(summary, objects).changed(kind, before, after));
    }
    return new Summaries(asked, next); // each is asked for more with its own objects
  }

  private static boolean isOf(Summary<?> summary, Kind<?> kind) {
    for (var part : summary.parts()) if (part.kind().equals(kind)) return true;
    return false;
  }

  private static boolean canBeMade(Summary<?> summary, Shelves objects) {
    for (var part : summary.parts()) if (!objects.has(part.kind())) return false;
    return true;
  }

  @SuppressWarnings("unchecked") // each is filed under its own summary
  private <S> Table<S> table(Summary<S> summary, Snapshot objects) {
    var known = (Table<S>) tables.get(summary);
    if (known != null) return known;
    var table = new Table<>(summary, OrderedTrie.<String, S>none(), Ranking.<S>none());
    for (var part : summary.parts()) table = table.with(part, objects);
    tables = tables.plus(summary, table); // a lost race costs another build, nothing else
    asked.add(summary);
    return table;
  }

  /// One summary.
  ///
  /// @param rows by value, none of them [Summary#none]
  /// @param ranking those of them that are ranked
  private record Table<S>(Summary<S> summary, OrderedTrie<String, S> rows, Ranking<S> ranking) {
    S get(String value) {
      var row = rows.get(value);
      return row == null ? summary.none() : row;
    }

    <T extends KubeObject> Table<S> with(Part<T, S> part, Snapshot objects) {
      var next = this;
      for (var object : objects.all(part.kind())) next = next.changed(part, null, object);
      return next;
    }

    @SuppressWarnings("unchecked") // a part of this kind takes objects of this kind
    <T extends KubeObject> Table<S> changed(Kind<T> kind, @Nullable T before, @Nullable T after) {
      var next = this;
      for (var part : summary.parts())
        if (part.kind().equals(kind)) next = next.changed((Part<T, S>) part, before, after);
      return next;
    }

    /// In one go where both count under the same value, as nearly always.
    private <T extends KubeObject> Table<S> changed(
        Part<T, S> part, @Nullable T before, @Nullable T after) {
      var left = before == null ? List.<String>of() : part.values().apply(before);
      var entered = after == null ? List.<String>of() : part.values().apply(after);
      var next = this;
      for (var value : left) {
        var row = part.minus().apply(next.get(value), before);
        if (entered.contains(value)) row = part.plus().apply(row, after);
        next = next.with(value, row);
      }
      for (var value : entered)
        if (!left.contains(value))
          next = next.with(value, part.plus().apply(next.get(value), after));
      return next;
    }

    private Table<S> with(String value, S row) {
      var before = get(value);
      if (row.equals(before)) return this;
      return new Table<>(
          summary,
          row.equals(summary.none()) ? rows.minus(value) : rows.plus(value, row),
          ranking.without(value, rank(before)).with(value, rank(row), row));
    }

    private Optional<Rank> rank(S row) {
      return row.equals(summary.none()) ? Optional.empty() : summary.rank().apply(row);
    }
  }
}

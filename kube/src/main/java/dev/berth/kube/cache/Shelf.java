package dev.berth.kube.cache;

import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.ObjectKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/// The objects of one kind at one moment. An index or a count is built when it is first asked for
/// and kept up from then on.
final class Shelf<T extends KubeObject> {
  private final TreePMap<ObjectKey, T> objects;
  private final Asked<T> asked;
  private volatile PMap<Index<T>, PMap<String, TreePMap<ObjectKey, T>>> tables;
  private volatile PMap<Count<T>, PMap<String, Integer>> sums;

  private Shelf(
      TreePMap<ObjectKey, T> objects,
      Asked<T> asked,
      PMap<Index<T>, PMap<String, TreePMap<ObjectKey, T>>> tables,
      PMap<Count<T>, PMap<String, Integer>> sums) {
    this.objects = objects;
    this.asked = asked;
    this.tables = tables;
    this.sums = sums;
  }

  /// What has ever been asked for, of this shelf or one before it.
  private record Asked<T extends KubeObject>(Set<Index<T>> indexes, Set<Count<T>> counts) {}

  static <T extends KubeObject> Shelf<T> empty() {
    return new Shelf<>(
        TreePMap.empty(),
        new Asked<>(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet()),
        HashTreePMap.empty(),
        HashTreePMap.empty());
  }

  @Nullable T get(ObjectKey key) {
    return objects.get(key);
  }

  Collection<T> all() {
    return objects.values();
  }

  Collection<T> by(Index<T> index, String value) {
    var drawer = table(index).get(value);
    return drawer == null ? List.of() : drawer.values();
  }

  int count(Count<T> count, String value) {
    return sum(count).getOrDefault(value, 0);
  }

  /// This shelf with `object` in the place of what had its key.
  Shelf<T> with(T object) {
    return changed(objects.get(object.meta().key()), object);
  }

  /// This shelf without what has `key`.
  Shelf<T> without(ObjectKey key) {
    return changed(objects.get(key), null);
  }

  private Shelf<T> changed(@Nullable T before, @Nullable T after) {
    var next = objects;
    if (before != null) next = next.minus(before.meta().key());
    if (after != null) next = next.plus(after.meta().key(), after);
    // Here and not only when asked: a reader that is slower than the changes would otherwise build
    // each index anew for each snapshot.
    PMap<Index<T>, PMap<String, TreePMap<ObjectKey, T>>> filed = HashTreePMap.empty();
    for (var index : asked.indexes()) {
      var table = table(index);
      if (before != null) table = unfile(table, index, before);
      if (after != null) table = file(table, index, after);
      filed = filed.plus(index, table);
    }
    PMap<Count<T>, PMap<String, Integer>> counted = HashTreePMap.empty();
    for (var count : asked.counts()) {
      var sum = sum(count);
      if (before != null) sum = add(sum, count, before, -1);
      if (after != null) sum = add(sum, count, after, 1);
      counted = counted.plus(count, sum);
    }
    return new Shelf<>(next, asked, filed, counted);
  }

  private PMap<String, TreePMap<ObjectKey, T>> table(Index<T> index) {
    var known = tables.get(index);
    if (known != null) return known;
    PMap<String, TreePMap<ObjectKey, T>> table = HashTreePMap.empty();
    for (var object : objects.values()) table = file(table, index, object);
    tables = tables.plus(index, table); // a lost race costs another build, nothing else
    asked.indexes().add(index);
    return table;
  }

  private PMap<String, Integer> sum(Count<T> count) {
    var known = sums.get(count);
    if (known != null) return known;
    PMap<String, Integer> sum = HashTreePMap.empty();
    for (var object : objects.values()) sum = add(sum, count, object, 1);
    sums = sums.plus(count, sum);
    asked.counts().add(count);
    return sum;
  }

  private static <T extends KubeObject> PMap<String, Integer> add(
      PMap<String, Integer> sum, Count<T> count, T object, int sign) {
    for (var part : count.counts().apply(object).entrySet()) {
      int next = sum.getOrDefault(part.getKey(), 0) + sign * part.getValue();
      sum = next == 0 ? sum.minus(part.getKey()) : sum.plus(part.getKey(), next);
    }
    return sum;
  }

  private static <T extends KubeObject> PMap<String, TreePMap<ObjectKey, T>> file(
      PMap<String, TreePMap<ObjectKey, T>> table, Index<T> index, T object) {
    for (var value : index.values().apply(object)) {
      var drawer = table.getOrDefault(value, TreePMap.empty());
      table = table.plus(value, drawer.plus(object.meta().key(), object));
    }
    return table;
  }

  private static <T extends KubeObject> PMap<String, TreePMap<ObjectKey, T>> unfile(
      PMap<String, TreePMap<ObjectKey, T>> table, Index<T> index, T object) {
    for (var value : index.values().apply(object)) {
      var drawer = table.getOrDefault(value, TreePMap.empty()).minus(object.meta().key());
      table = drawer.isEmpty() ? table.minus(value) : table.plus(value, drawer);
    }
    return table;
  }
}

package dev.berth.kube.cache;

import dev.berth.kube.map.HashTrie;
import dev.berth.kube.map.OrderedTrie;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/// The objects of one kind at one moment. An index is built when it is first asked for and kept up
/// from then on.
final class Shelf<T extends KubeObject> {
  private final OrderedTrie<ObjectKey, T> objects;
  private final PMap<ObjectKey, String> doubts;
  private final Set<Index<T>> asked; // ever, of this shelf or one before it

  /// Replaced, never changed.
  private volatile Map<Index<T>, HashTrie<String, TreePMap<ObjectKey, T>>> tables;

  private Shelf(
      OrderedTrie<ObjectKey, T> objects,
      PMap<ObjectKey, String> doubts,
      Set<Index<T>> asked,
      Map<Index<T>, HashTrie<String, TreePMap<ObjectKey, T>>> tables) {
    this.objects = objects;
    this.doubts = doubts;
    this.asked = asked;
    this.tables = tables;
  }

  static <T extends KubeObject> Shelf<T> empty() {
    return new Shelf<>(
        OrderedTrie.none(), HashTreePMap.empty(), ConcurrentHashMap.newKeySet(), Map.of());
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

  /// Why objects are not known, those that are not.
  Map<ObjectKey, String> doubts() {
    return doubts;
  }

  /// This shelf with a word on why an object is not known; empty: no more of it.
  Shelf<T> doubting(ObjectKey key, String why) {
    var next = why.isEmpty() ? doubts.minus(key) : doubts.plus(key, why);
    return new Shelf<>(objects, next, asked, tables);
  }

  /// This shelf with `object` in the place of what had its key.
  Shelf<T> with(T object) {
    return changed(object.meta().key(), object);
  }

  /// This shelf without what has `key`.
  Shelf<T> without(ObjectKey key) {
    return changed(key, null);
  }

  private Shelf<T> changed(ObjectKey key, @Nullable T after) {
    var before = objects.get(key);
    var next = after != null ? objects.plus(key, after) : objects.minus(key);
    // Here and not only when asked: a reader that is slower than the changes would otherwise build
    // each index anew for each snapshot.
    Map<Index<T>, HashTrie<String, TreePMap<ObjectKey, T>>> filed = new HashMap<>();
    for (var index : asked) {
      filed.put(index, changed(table(index), index, before, after));
    }
    return new Shelf<>(next, doubts.minus(key), asked, filed);
  }

  /// What stays where it was filed is replaced there.
  private static <T extends KubeObject> HashTrie<String, TreePMap<ObjectKey, T>> changed(
      HashTrie<String, TreePMap<ObjectKey, T>> table,
      Index<T> index,
      @Nullable T before,
      @Nullable T after) {
    var left = before == null ? List.<String>of() : index.values().apply(before);
    var entered = after == null ? List.<String>of() : index.values().apply(after);
    var next = table;
    if (before != null && !left.equals(entered)) next = unfile(next, left, before.meta().key());
    return after == null ? next : file(next, entered, after);
  }

  private HashTrie<String, TreePMap<ObjectKey, T>> table(Index<T> index) {
    var known = tables.get(index);
    if (known != null) return known;
    HashTrie<String, TreePMap<ObjectKey, T>> table = HashTrie.empty();
    for (var object : objects.values()) table = file(table, index.values().apply(object), object);
    var more = new HashMap<>(tables);
    more.put(index, table);
    tables = more; // a lost race costs another build, nothing else
    asked.add(index);
    return table;
  }

  private static <T extends KubeObject> HashTrie<String, TreePMap<ObjectKey, T>> file(
      HashTrie<String, TreePMap<ObjectKey, T>> table, Collection<String> values, T object) {
    for (var value : values)
      table = table.plus(value, drawer(table, value).plus(object.meta().key(), object));
    return table;
  }

  private static <T extends KubeObject> HashTrie<String, TreePMap<ObjectKey, T>> unfile(
      HashTrie<String, TreePMap<ObjectKey, T>> table, Collection<String> values, ObjectKey key) {
    for (var value : values) {
      var drawer = drawer(table, value).minus(key);
      table = drawer.isEmpty() ? table.minus(value) : table.plus(value, drawer);
    }
    return table;
  }

  private static <T extends KubeObject> TreePMap<ObjectKey, T> drawer(
      HashTrie<String, TreePMap<ObjectKey, T>> table, String value) {
    var drawer = table.get(value);
    return drawer == null ? TreePMap.empty() : drawer;
  }
}

package dev.berth.kube.map;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// A map that is replaced, never changed: in the order of its keys, and looked into by their
/// hashes.
public record OrderedTrie<K extends Comparable<? super K>, V>(
    TreePMap<K, V> order, HashTrie<K, V> places) {
  public static <K extends Comparable<? super K>, V> OrderedTrie<K, V> none() {
    return new OrderedTrie<>(TreePMap.<K, V>empty(), HashTrie.<K, V>empty());
  }

  public @Nullable V get(K key) {
    return places.get(key);
  }

  public Collection<V> values() {
    return order.values();
  }

  public OrderedTrie<K, V> plus(K key, V value) {
    return new OrderedTrie<>(order.plus(key, value), places.plus(key, value));
  }

  public OrderedTrie<K, V> minus(K key) {
    return new OrderedTrie<>(order.minus(key), places.minus(key));
  }
}

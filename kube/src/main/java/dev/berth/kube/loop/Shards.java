package dev.berth.kube.loop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Values by text, of which each change makes another map: a change costs a small part of the
/// whole, and to compare with what was before costs about what has changed.
public record Shards<V>(List<Map<String, V>> shards) {
  private static final int COUNT = 256;

  public static <V> Shards<V> empty() {
    return new Shards<>(Collections.nCopies(COUNT, Map.of()));
  }

  public static <V> Shards<V> of(Map<String, V> values) {
    var shards = new ArrayList<Map<String, V>>(COUNT);
    for (int each = 0; each < COUNT; each++) shards.add(new HashMap<>());
    values.forEach((key, value) -> shards.get(shard(key)).put(key, value));
    return new Shards<>(Collections.unmodifiableList(shards));
  }

  public Optional<V> get(String key) {
    return Optional.ofNullable(shards.get(shard(key)).get(key));
  }

  public Shards<V> with(String key, V value) {
    var changed = new HashMap<>(shards.get(shard(key)));
    changed.put(key, value);
    var all = new ArrayList<>(shards);
    all.set(shard(key), changed);
    return new Shards<>(Collections.unmodifiableList(all));
  }

  public Shards<V> without(String key) {
    if (get(key).isEmpty()) return this;
    var changed = new HashMap<>(shards.get(shard(key)));
    changed.remove(key);
    var all = new ArrayList<>(shards);
    all.set(shard(key), changed);
    return new Shards<>(Collections.unmodifiableList(all));
  }

  /// The keys whose values are others than in `before`, or there only in one of the two.
  public Stream<String> changedSince(Shards<V> before) {
    return IntStream.range(0, COUNT)
        .filter(each -> shards.get(each) != before.shards.get(each))
        .boxed()
        .flatMap(each -> changed(before.shards.get(each), shards.get(each)));
  }

  private static <V> Stream<String> changed(Map<String, V> before, Map<String, V> after) {
    return Stream.concat(before.keySet().stream(), after.keySet().stream())
        .distinct()
        .filter(key -> !Objects.equals(before.get(key), after.get(key)));
  }

  private static int shard(String key) {
    return Math.floorMod(key.hashCode(), COUNT);
  }
}

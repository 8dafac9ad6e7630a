package dev.berth.kube.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The map by which objects are found, beside the JDK's.
class HashTrieTest {
  private static final int STEPS = 20_000;

  /// A key with a hash that somebody has thought up.
  ///
  /// @param hashes how many there are in all
  private record Key(int number, int hashes) implements Comparable<Key> {
    @Override
    public int hashCode() {
      return Integer.reverse(number % hashes) ^ number % hashes;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(number, other.number);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 40, 1_000_000})
  void itIsAMapWhateverTheHashes(int hashes) {
    var random = new Random(hashes);
    var expected = new HashMap<Key, Integer>();
    HashTrie<Key, Integer> map = HashTrie.empty();
    var former = new ArrayList<Map.Entry<Map<Key, Integer>, HashTrie<Key, Integer>>>();
    for (int step = 0; step < STEPS; step++) {
      if (step % 5_000 == 0) former.add(Map.entry(Map.copyOf(expected), map));
      var key = new Key(random.nextInt(200), hashes);
      if (random.nextInt(3) == 0) {
        expected.remove(key);
        map = map.minus(key);
      } else {
        expected.put(key, step);
        map = map.plus(key, step);
      }
      assertThat(map.get(key)).isEqualTo(expected.get(key));
    }
    former.add(Map.entry(expected, map));
    for (var each : former) assertSame(each.getKey(), each.getValue(), hashes);
  }

  private static void assertSame(
      Map<Key, Integer> expected, HashTrie<Key, Integer> map, int hashes) {
    for (int number = 0; number < 200; number++) {
      var key = new Key(number, hashes);
      assertThat(map.get(key)).as("%s", key).isEqualTo(expected.get(key));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000_000})
  void whatHasGoneLeavesNothing(int hashes) {
    HashTrie<Key, String> map = HashTrie.empty();
    var keys = new ArrayList<Key>();
    for (int number = 0; number < 100; number++) keys.add(new Key(number, hashes));
    for (var key : keys) map = map.plus(key, "here");
    for (var key : keys) map = map.minus(key);
    assertThat(map).usingRecursiveComparison().isEqualTo(HashTrie.empty());
    assertThat(map.minus(keys.getFirst())).isSameAs(map);
  }
}

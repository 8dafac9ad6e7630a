package dev.berth.kube.map;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// A map that is replaced, never changed. What is looked for is found in four steps among a hundred
/// thousand, and in two among a thousand: in a balanced tree it would be seventeen and ten, with a
/// comparison at each. Keys of one hash, which somebody may have thought up, are told apart in such
/// a tree.
///
/// @param <K> whose hash is cheap
public final class HashTrie<K extends Comparable<? super K>, V> {
  private static final HashTrie<?, ?> EMPTY = new HashTrie<String, Object>(null);
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  /// A [Leaf], a [Clash] or a [Branch]; null: there is nothing.
  private final @Nullable Object root;

  private HashTrie(@Nullable Object root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // there is nothing in it
  public static <K extends Comparable<? super K>, V> HashTrie<K, V> empty() {
    return (HashTrie<K, V>) EMPTY;
  }

  private record Leaf(int hash, Object key, Object value) {}

  /// Of one hash, two at least.
  private record Clash<K, V>(int hash, TreePMap<K, V> entries) {}

  /// @param slots a bit for each of the next five bits of a hash that there is something of
  /// @param parts one for each bit that is set, in their order
  @SuppressWarnings("ArrayRecordComponent") // never changed, never handed out
  private record Branch(int slots, Object[] parts) {
    int place(int bit) {
      return Integer.bitCount(slots & (bit - 1));
    }

    Branch with(int bit, Object part) {
      int place = place(bit);
      if ((slots & bit) != 0) {
        var replaced = parts.clone();
        replaced[place] = part;
        return new Branch(slots, replaced);
      }
      var more = Arrays.copyOf(parts, parts.length + 1);
      System.arraycopy(parts, place, more, place + 1, parts.length - place);
      more[place] = part;
      return new Branch(slots | bit, more);
    }

    /// What is left is a branch only if it has to be.
    @Nullable Object without(int bit) {
      if (parts.length == 1) return null;
      int place = place(bit);
      var less = Arrays.copyOf(parts, parts.length - 1);
      System.arraycopy(parts, place + 1, less, place, less.length - place);
      return less.length == 1 && !(less[0] instanceof Branch)
          ? less[0]
          : new Branch(slots & ~bit, less);
    }
  }

  @SuppressWarnings("unchecked") // what is in it was put there by plus()
  public @Nullable V get(K key) {
    int hash = key.hashCode();
    var at = root;
    for (int shift = 0; at instanceof Branch branch; shift += BITS) {
      int bit = bit(hash, shift);
      if ((branch.slots & bit) == 0) return null;
      at = branch.parts[branch.place(bit)];
    }
    if (at instanceof Leaf leaf)
      return leaf.hash == hash && leaf.key.equals(key) ? (V) leaf.value : null;
    return at instanceof Clash<?, ?> clash && clash.hash == hash
        ? ((Clash<K, V>) clash).entries.get(key)
        : null;
  }

  /// This map with `value` in the place of what had its key.
  public HashTrie<K, V> plus(K key, V value) {
    return new HashTrie<>(plus(root, 0, key.hashCode(), key, value));
  }

  /// This map without what has `key`.
  public HashTrie<K, V> minus(K key) {
    var rest = minus(root, 0, key.hashCode(), key);
    return rest == root ? this : new HashTrie<>(rest);
  }

  private static int bit(int hash, int shift) {
    return 1 << (hash >>> shift & MASK);
  }

  @SuppressWarnings("unchecked") // what is in it was put there by plus()
  private Object plus(@Nullable Object at, int shift, int hash, K key, V value) {
    return switch (at) {
      case null -> new Leaf(hash, key, value);
      case Branch branch -> {
        int bit = bit(hash, shift);
        var below = (branch.slots & bit) == 0 ? null : branch.parts[branch.place(bit)];
        yield branch.with(bit, plus(below, shift + BITS, hash, key, value));
      }
      case Leaf leaf when leaf.hash != hash ->
          joined(shift, leaf.hash, leaf, hash, new Leaf(hash, key, value));
      case Leaf leaf when leaf.key.equals(key) -> new Leaf(hash, key, value);
      case Leaf leaf ->
          new Clash<>(
              hash, TreePMap.<K, V>singleton((K) leaf.key, (V) leaf.value).plus(key, value));
      case Clash<?, ?> clash when clash.hash != hash ->
          joined(shift, clash.hash, clash, hash, new Leaf(hash, key, value));
      case Clash<?, ?> clash -> new Clash<>(hash, ((Clash<K, V>) clash).entries.plus(key, value));
      default -> throw new IllegalStateException("no part of a trie: " + at);
    };
  }

  /// Two parts of other hashes, which begin alike up to `shift`.
  private static Branch joined(int shift, int hash, Object one, int otherHash, Object other) {
    int bit = bit(hash, shift);
    int otherBit = bit(otherHash, shift);
    if (bit == otherBit)
      return new Branch(bit, new Object[] {joined(shift + BITS, hash, one, otherHash, other)});
    return new Branch(bit, new Object[] {one}).with(otherBit, other);
  }

  @SuppressWarnings("unchecked") // what is in it was put there by plus()
  private @Nullable Object minus(@Nullable Object at, int shift, int hash, K key) {
    return switch (at) {
      case null -> null;
      case Branch branch -> {
        int bit = bit(hash, shift);
        if ((branch.slots & bit) == 0) yield branch;
        var below = branch.parts[branch.place(bit)];
        var rest = minus(below, shift + BITS, hash, key);
        if (rest == below) yield branch;
        if (rest == null) yield branch.without(bit);
        yield branch.parts.length == 1 && !(rest instanceof Branch) ? rest : branch.with(bit, rest);
      }
      case Leaf leaf -> leaf.hash == hash && leaf.key.equals(key) ? null : leaf;
      case Clash<?, ?> clash when clash.hash == hash -> {
        var rest = ((Clash<K, V>) clash).entries.minus(key);
        if (rest.size() > 1) yield new Clash<>(hash, rest);
        var last = rest.entrySet().iterator().next();
        yield new Leaf(hash, last.getKey(), last.getValue());
      }
      default -> at;
    };
  }
}

package dev.berth.kube.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The keys that want a look, first come first served, as client-go's work queue has them (K8S-08):
/// a key waits at most once however often it is added, is never handed out twice at the same time,
/// and is handed out once more if it was added while it was out.
///
/// Its moments are [dev.berth.kube.time.Time#elapsed]. Not safe for threads: [Loop] asks one
/// question at a time.
final class KeyQueue<K> {
  private final ArrayDeque<K> waiting = new ArrayDeque<>();
  private final Map<K, Duration> dirty = new LinkedHashMap<>();
  private final Map<K, Duration> out = new LinkedHashMap<>();

  /// Lets `key` wait for a look.
  ///
  /// @return whether that is news: it was not waiting yet
  boolean add(K key, Duration now) {
    if (dirty.putIfAbsent(key, now) != null) return false;
    if (!out.containsKey(key)) waiting.addLast(key);
    return true;
  }

  /// The next key, now out, and since when it waited.
  Optional<Map.Entry<K, Duration>> take(Duration now) {
    var key = waiting.pollFirst();
    if (key == null) return Optional.empty();
    var since = dirty.remove(key);
    out.put(key, now);
    return Optional.of(Map.entry(key, since == null ? now : since));
  }

  /// The look that is about to be taken at `key`, which is out, sees all that was added so far.
  void looksAgain(K key) {
    dirty.remove(key);
  }

  /// `key` is no longer out; it waits again if it was added meanwhile.
  void done(K key) {
    out.remove(key);
    if (dirty.containsKey(key)) waiting.addLast(key);
  }

  /// Forgets all that wait; those that are out stay out.
  void clear() {
    waiting.clear();
    dirty.clear();
  }

  /// How many wait, those included that wait until they are no longer out.
  int depth() {
    return dirty.size();
  }

  /// The keys that are out, and since when.
  Map<K, Duration> out() {
    return out;
  }
}

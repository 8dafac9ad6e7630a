package dev.berth.apiserver;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The latest writes to objects of one kind, and who wants to hear of the next (API-63).
final class EventLog {
  private static final int MOST = 10_000;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// In bytes of JSON, the larger part of what an entry takes: seconds of the busiest kind.
  private static final long LARGEST = 3 << 20;

  /// So few are kept however old they are, and larger than most: a quiet kind's watchers seldom
  /// have to list again.
  private static final int FEWEST = 100;

  /// In bytes of JSON of what entries keep alive, the objects before included, however few they
  /// are: a hundred objects may be as large as a small heap.
  static final long HELD_AT_MOST =
      Math.clamp(Runtime.getRuntime().maxMemory() / 32, 4L << 20, 64L << 20);

  private static final int SHORTEST = 16;

  private final List<LogStream> streams = new CopyOnWriteArrayList<>();
  private @Nullable Entry[] ring = new @Nullable Entry[SHORTEST];
  private int first;
  private int count;
  private long bytes;
  private long held;
  private long forgotten;

  /// @param bytes of its JSON; 0 if it has none yet, since nobody stores or reads it
  /// @param held bytes of what it keeps alive
  private record Entry(Written written, Instant at, int bytes, int held) {
    static Entry of(Written written, Instant at) {
      return switch (written) {
        case Written.Put(_, var before, var after) ->
            new Entry(written, at, after.size(), after.size() + before.map(Stored::size).orElse(0));
        // As it was last it is a tree without a text.
        case Written.Removed(_, var before, var last) ->
            new Entry(written, at, last.size(), 3 * before.size());
      };
    }
  }

  /// @param revision up to which nothing is known
  EventLog(long revision) {
    this.forgotten = revision;
  }

  void add(LogStream stream) {
    streams.add(stream);
  }

  void remove(LogStream stream) {
    streams.remove(stream);
  }

  List<LogStream> streams() {
    return streams;
  }

  synchronized void append(Written written, Instant now) {
    if (count >= MOST) forget();
    if (count == ring.length) resize(2 * ring.length);
    var entry = Entry.of(written, now);
    ring[(first + count) % ring.length] = entry;
    count++;
    bytes += entry.bytes;
    held += entry.held;
    forgetOld(now);
  }

  /// Forgets what is old or too much, which takes memory also when nothing comes after it.
  synchronized void forgetOld(Instant now) {
    while (count > 1 && held > HELD_AT_MOST) forget();
    while (count > FEWEST && (bytes > LARGEST || entry(0).at.plus(LONGEST).isBefore(now))) forget();
    if (ring.length > SHORTEST && count * 4 < ring.length) resize(ring.length / 2);
  }

  /// Up to `most` writes after `revision`, in order.
  synchronized List<Written> after(long revision, int most) {
    int from = firstAfter(revision);
    int to = Math.min(count, from + most);
    var writes = new ArrayList<Written>(to - from);
    for (int i = from; i < to; i++) writes.add(entry(i).written);
    return writes;
  }

  /// All writes after `revision`, in order; empty: some of them are not known any more.
  synchronized Optional<List<Written>> since(long revision) {
    return revision < forgotten ? Optional.empty() : Optional.of(after(revision, count));
  }

  /// The lowest revision after which all writes are known.
  synchronized long oldest() {
    return forgotten;
  }

  private int firstAfter(long revision) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entry(middle).written.revision() <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private void forget() {
    forgotten = entry(0).written.revision();
    bytes -= entry(0).bytes;
    held -= entry(0).held;
    ring[first] = null;
    first = (first + 1) % ring.length;
    count--;
  }

  private void resize(int length) {
    var other = new @Nullable Entry[Math.max(SHORTEST, length)];
    for (int i = 0; i < count; i++) other[i] = entry(i);
    ring = other;
    first = 0;
  }

  private Entry entry(int index) {
    var entry = ring[(first + index) % ring.length];
    if (entry == null) throw new IllegalStateException("the log has no entry " + index);
    return entry;
  }
}

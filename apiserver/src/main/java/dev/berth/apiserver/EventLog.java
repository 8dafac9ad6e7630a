package dev.berth.apiserver;

import dev.berth.apiserver.core.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The latest writes to objects of one kind, and who wants to hear of the next (API-63).
final class EventLog {
  private static final int MOST = 10_000;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// So few are kept however old they are: a quiet kind's watchers seldom have to list again.
  private static final int FEWEST = 100;

  private final List<LogStream> streams = new CopyOnWriteArrayList<>();
  private @Nullable Entry[] ring = new @Nullable Entry[16];
  private int first;
  private int count;
  private long forgotten;

  private record Entry(Written written, Instant at) {}

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
    while (count >= MOST || (count >= FEWEST && entry(0).at.plus(LONGEST).isBefore(now))) forget();
    if (count == ring.length) grow();
    ring[(first + count) % ring.length] = new Entry(written, now);
    count++;
  }

  /// Up to `most` writes after `revision`, in order.
  synchronized List<Written> after(long revision, int most) {
    int from = firstAfter(revision);
    int to = Math.min(count, from + most);
    var writes = new ArrayList<Written>(to - from);
    for (int i = from; i < to; i++) writes.add(entry(i).written);
    return writes;
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
    ring[first] = null;
    first = (first + 1) % ring.length;
    count--;
  }

  private void grow() {
    var larger = new @Nullable Entry[ring.length * 2];
    for (int i = 0; i < count; i++) larger[i] = entry(i);
    ring = larger;
    first = 0;
  }

  private Entry entry(int index) {
    var entry = ring[(first + index) % ring.length];
    if (entry == null) throw new IllegalStateException("the log has no entry " + index);
    return entry;
  }
}

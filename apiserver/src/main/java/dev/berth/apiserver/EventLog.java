package dev.berth.apiserver;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.history.History;
import dev.berth.apiserver.history.Segment;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The latest writes to objects of one kind, and who wants to hear of the next (API-63). The newest
/// are in memory; what is too much for that is moved to disk, if there is one, and is forgotten
/// after five minutes.
final class EventLog {
  private static final Logger log = LoggerFactory.getLogger(EventLog.class);

  private static final int MOST = 10_000;

  /// In bytes of JSON, the larger part of what an entry takes: seconds of the busiest kind.
  private static final long LARGEST = 3 << 20;

  /// So few are kept however old they are, and larger than most: a quiet kind's watchers seldom
  /// have to list again.
  private static final int FEWEST = 100;

  /// In bytes of JSON of what entries keep alive, the objects before included, however few they
  /// are: a hundred objects may be as large as a small heap.
  static final long HELD_AT_MOST =
      Math.clamp(Runtime.getRuntime().maxMemory() / 32, 4L << 20, 64L << 20);

  /// What is to be moved may wait, and takes so much more meanwhile, before it is forgotten.
  private static final int WAITING = 3;

  /// In bytes of what it keeps alive: a part that is read, or moved, at once.
  private static final int PART = 256 << 10;

  private static final int MOST_OF_PART = 256;
  private static final int SHORTEST = 16;

  private final List<LogStream> streams = new CopyOnWriteArrayList<>();
  private final boolean moves;

  /// Those before the ones in memory, without a gap.
  private final Deque<Segment> moved = new ArrayDeque<>();

  private @Nullable Entry[] ring = new @Nullable Entry[SHORTEST];
  private int first;
  private int count;
  private long bytes;
  private long held;
  private long forgotten;

  /// Whether somebody is about to move what is too much.
  private boolean moving;

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

  /// The oldest writes that are in memory.
  ///
  /// @param at when the last of them was written
  record Part(List<Written> writes, Instant at) {}

  /// @param revision up to which nothing is known
  /// @param moves whether somebody moves what is too much when [#append] says so
  EventLog(long revision, boolean moves) {
    this.forgotten = revision;
    this.moves = moves;
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

  /// @return whether a part of it is to be moved, which nobody does yet
  synchronized boolean append(Written written, Instant now) {
    if (count == ring.length) resize(2 * ring.length);
    var entry = Entry.of(written, now);
    ring[(first + count) % ring.length] = entry;
    count++;
    bytes += entry.bytes;
    held += entry.held;
    forgetOld(now);
    if (moving || !moves || !exceeds(1)) return false;
    moving = true;
    return true;
  }

  /// Whether what is in memory is more than one in `of` parts of what is allowed; of few, more than
  /// all of it.
  private boolean exceeds(int of) {
    if (count <= FEWEST) return count > 1 && held > HELD_AT_MOST;
    return of * bytes > LARGEST || of * count > MOST || of * held > HELD_AT_MOST;
  }

  /// Forgets what is old or too much, which takes memory also when nothing comes after it.
  synchronized void forgetOld(Instant now) {
    var oldest = now.minus(History.LONGEST);
    while (!moved.isEmpty() && (moved.getFirst().gone() || moved.getFirst().at().isBefore(oldest)))
      forgotten = moved.removeFirst().last();
    int times = moves ? WAITING : 1;
    while (count > 1 && held > times * HELD_AT_MOST) forget();
    while (count > FEWEST && (bytes > times * LARGEST || entry(0).at.isBefore(oldest))) forget();
    while (count > times * MOST) forget();
    if (ring.length > SHORTEST && count * 4 < ring.length) resize(ring.length / 2);
  }

  /// What is to be moved next, if there is still much in memory.
  synchronized Optional<Part> toMove() {
    moving = exceeds(2);
    if (!moving) return Optional.empty();
    int size = partFrom(0, count > FEWEST ? count - FEWEST : count);
    var part = new ArrayList<Written>(size);
    for (int i = 0; i < size; i++) part.add(entry(i).written);
    return Optional.of(new Part(part, entry(size - 1).at));
  }

  /// Nobody moves it: the next write says again that it is to be moved.
  synchronized void moveLater() {
    moving = false;
  }

  /// Takes a part out of memory, unless some of it was too much and is forgotten.
  ///
  /// @param kept empty: there is no room for it anywhere
  synchronized void move(Part part, Optional<Segment> kept) {
    if (count == 0 || entry(0).written.revision() != part.writes.getFirst().revision()) return;
    for (int i = 0; i < part.writes.size(); i++) {
      if (kept.isEmpty()) forget();
      else removeFirst();
    }
    kept.ifPresent(moved::add);
  }

  /// What comes after a revision.
  sealed interface Next {
    /// Some of it, in order, the next first; empty: there is nothing yet.
    record InMemory(List<Written> writes) implements Next {}

    /// It begins with a part that is to be read.
    record OnDisk(Segment segment) implements Next {}

    /// Some of it is not known any more.
    record Forgotten() implements Next {}
  }

  synchronized Next after(long revision) {
    while (!moved.isEmpty() && moved.getFirst().gone()) forgotten = moved.removeFirst().last();
    if (revision < forgotten) return new Next.Forgotten();
    // from the latest on, as the writer waits meanwhile, and who asks has mostly seen nearly all
    return moved.reversed().stream()
        .takeWhile(segment -> segment.last() > revision)
        .reduce((_, earlier) -> earlier)
        .<Next>map(Next.OnDisk::new)
        .orElseGet(() -> new Next.InMemory(inMemory(revision)));
  }

  private List<Written> inMemory(long revision) {
    int from = firstAfter(revision);
    int size = partFrom(from, count);
    var writes = new ArrayList<Written>(size);
    for (int i = 0; i < size; i++) writes.add(entry(from + i).written);
    return writes;
  }

  /// Reads those of a part that come after `revision`.
  ///
  /// @return empty: they are not known any more
  Optional<List<Written>> read(Segment segment, long revision) {
    try {
      var all = segment.read();
      int from = 0;
      while (from < all.size() && all.get(from).revision() <= revision) from++;
      return Optional.of(all.subList(from, all.size()));
    } catch (IOException e) {
      if (!segment.gone()) log.warn("history cannot be read; some watchers list again", e);
      lose(segment);
      return Optional.empty();
    }
  }

  private synchronized void lose(Segment segment) {
    while (!moved.isEmpty() && moved.getFirst().last() <= segment.last())
      forgotten = moved.removeFirst().last();
  }

  /// Hands out all writes after `revision` and up to another, in order, each part in the user's
  /// turn.
  ///
  /// @return whether all of them were still known
  boolean between(long revision, long last, Lookback lookback, String user, Consumer<Written> each)
      throws InterruptedException {
    for (long seen = revision; seen < last; ) {
      long from = seen;
      var some =
          switch (after(from)) {
            case Next.InMemory(var writes) -> Optional.of(writes);
            case Next.OnDisk(var segment) -> lookback.inTurn(user, () -> read(segment, from));
            case Next.Forgotten() -> Optional.<List<Written>>empty();
          };
      if (some.isEmpty()) return false;
      if (some.get().isEmpty()) return true;
      some.get().stream().filter(written -> written.revision() <= last).forEach(each);
      seen = some.get().getLast().revision();
    }
    return true;
  }

  /// The lowest revision after which all writes are known.
  synchronized long oldest() {
    return forgotten;
  }

  /// Revision of the latest write.
  synchronized long latest() {
    if (count > 0) return entry(count - 1).written.revision();
    return moved.isEmpty() ? forgotten : moved.getLast().last();
  }

  /// How many entries from an index on are a part: one at least, if there is one.
  private int partFrom(int from, int to) {
    int size = 0;
    for (long taken = 0; from + size < to && size < MOST_OF_PART; size++) {
      taken += entry(from + size).held;
      if (size > 0 && taken > PART) break;
    }
    return size;
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

  /// And all before it.
  private void forget() {
    forgotten = entry(0).written.revision();
    moved.clear();
    removeFirst();
  }

  private void removeFirst() {
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

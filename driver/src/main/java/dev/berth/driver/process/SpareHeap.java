package dev.berth.driver.process;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;

/// Keeps the heap near what is alive: the serial collector looks for garbage among what is old only
/// when the heap has grown to its limit, and a process that has nothing more to do stays as large
/// as its start or its busiest hour. So a full collection is asked for at once, when a burst of
/// work has made the heap grow far beyond what was alive, and when it is over.
///
/// Nothing polls: that the collector runs is noticed by what it collects, and a process with
/// nothing to do hardly makes it run.
public final class SpareHeap implements AutoCloseable {
  /// Work is over when the collector has had nothing to do for so long.
  private static final Duration QUIET = Duration.ofSeconds(5);

  /// So many collections without such a pause were work; a process with nothing to do has one in
  /// minutes.
  private static final int BURST = 5;

  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private final Thread thread = Thread.ofVirtual().name("spare-heap").unstarted(this::watch);

  /// Bytes in use after the last full collection.
  private long alive;

  private final long growth;

  private SpareHeap(long growth) {
    this.growth = growth;
  }

  /// Looks after the heap until closed.
  ///
  /// @param growth bytes: under load a full collection is worth it when the heap has grown to twice
  ///   what was alive at the last one, and so much more
  public static SpareHeap watched(long growth) {
    var heap = new SpareHeap(growth);
    heap.thread.start();
    return heap;
  }

  private void watch() {
    try {
      collect();
      while (true) {
        awaitCollection(Duration.ZERO);
        int collections = 0;
        do {
          collections++;
          if (Runtime.getRuntime().totalMemory() > 2 * alive + growth) collect();
        } while (awaitCollection(QUIET));
        if (collections >= BURST) collect();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void collect() {
    System.gc();
    alive = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /// @param atMost zero: however long it takes
  /// @return whether there was one
  private boolean awaitCollection(Duration atMost) throws InterruptedException {
    var next = new PhantomReference<>(new Object(), collected);
    while (true) {
      var found = collected.remove(atMost.toMillis());
      if (found == null) return false;
      if (found == next) return true;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

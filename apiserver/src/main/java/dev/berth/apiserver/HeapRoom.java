package dev.berth.apiserver;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether the heap, in which all objects are kept, has room for more of them. What looks full may
/// be garbage: it is collected before anybody is refused, but not at every write.
final class HeapRoom {
  private static final double FULL = 0.8;
  private static final Duration BETWEEN_COLLECTIONS = Duration.ofSeconds(2);
  private static final long MIB = 1024 * 1024;

  /// The heap as it is now. In bytes.
  interface Heap {
    long used();

    long most();

    /// Ends what nobody uses.
    void collect();

    /// Gives up what can be had again, or done without. It takes a collection to see what that
    /// gave.
    void letGo();
  }

  private final Heap heap;
  private Instant nextCollection = Instant.MIN;
  private Optional<String> verdict = Optional.empty();

  HeapRoom(Heap heap) {
    this.heap = heap;
  }

  /// Of this process.
  ///
  /// @param letGo see [Heap#letGo]
  static HeapRoom ofProcess(Runnable letGo) {
    var runtime = Runtime.getRuntime();
    return new HeapRoom(
        new Heap() {
          @Override
          public long used() {
            return runtime.totalMemory() - runtime.freeMemory();
          }

          @Override
          public long most() {
            return runtime.maxMemory();
          }

          @Override
          public void collect() {
            runtime.gc();
          }

          @Override
          public void letGo() {
            letGo.run();
          }
        });
  }

  /// Why there is none for anything that grows; empty: there is.
  synchronized Optional<String> full(Instant now) {
    if (heap.used() < FULL * heap.most()) return Optional.empty();
    if (now.isBefore(nextCollection)) return verdict;
    heap.collect();
    if (heap.used() >= FULL * heap.most()) {
      heap.letGo();
      heap.collect();
    }
    nextCollection = now.plus(BETWEEN_COLLECTIONS);
    verdict =
        heap.used() < FULL * heap.most()
            ? Optional.empty()
            : Optional.of(
                "the server's memory is full: %d of %d MiB are in use; delete what nobody needs, or start it with more (-Xmx)"
                    .formatted(heap.used() / MIB, heap.most() / MIB));
    return verdict;
  }
}

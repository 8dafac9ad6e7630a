package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What is old and dead goes when work is over, not when the heap has grown to its limit.
class SpareHeapTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void whatABurstLeavesIsCollected() throws InterruptedException {
    var queue = new ReferenceQueue<byte[]>();
    try (var heap = SpareHeap.watched(48 << 20)) {
      var dead = new WeakReference<>(old(), queue);
      burst();
      assertThat(queue.remove(PATIENCE.toMillis())).as("noticed by %s", heap).isSameAs(dead);
    }
  }

  /// Lives where only a full collection looks for garbage.
  private static byte[] old() {
    var bytes = new byte[1 << 20];
    System.gc();
    return bytes;
  }

  /// Makes the collector run, but not among what is old: none of it lives long.
  private static void burst() {
    for (int i = 0; i < 2_000; i++) {
      var garbage = new byte[100_000];
      garbage[i] = 1;
    }
  }
}

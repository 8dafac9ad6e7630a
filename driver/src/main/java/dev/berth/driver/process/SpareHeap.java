package dev.berth.driver.process;

import java.time.Duration;

/// Gives back the heap that a start or a burst of calls has taken. A driver runs for months beside
/// everything else on its node, mostly idle, and the serial collector looks for garbage among what
/// is old only when the heap has grown to its limit.
final class SpareHeap {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

  /// Garbage is collected when the heap has grown by more than its half since the last time: seldom
  /// enough not to be felt, and never in an idle process.
  private static final double WORTH_IT = 1.5;

  /// Collects now, and from now on whenever it is worth it, until the process ends.
  static void giveBack() {
    Thread.ofVirtual().name("spare-heap").start(SpareHeap::watch);
  }

  private static void watch() {
    var kept = 0L;
    try {
      while (true) {
        if (Runtime.getRuntime().totalMemory() > WORTH_IT * kept) {
          System.gc();
          kept = Runtime.getRuntime().totalMemory();
        }
        Thread.sleep(BETWEEN_LOOKS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private SpareHeap() {}
}

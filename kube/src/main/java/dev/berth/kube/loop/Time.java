package dev.berth.kube.loop;

import java.time.Duration;
import java.time.Instant;

/// Where a loop's time and threads come from: the machine's in production, a seeded scheduler on
/// virtual time in a simulation.
public interface Time {
  Instant now();

  /// Runs `task` soon, beside others; it may block.
  void start(Runnable task);

  /// Runs `task` after `delay`.
  Timer after(Duration delay, Runnable task);

  /// A task that has not run yet.
  interface Timer {
    void cancel();
  }
}

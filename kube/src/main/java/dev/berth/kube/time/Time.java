package dev.berth.kube.time;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// Where time, threads and chance come from: the machine's in production, a seeded scheduler on
/// virtual time in a simulation.
public interface Time {
  /// By the machine's clock, which somebody may set.
  Instant now();

  /// How long it has been since some moment in the past: goes on evenly, whoever sets the clock. To
  /// be compared with itself, where it matters how much time has passed.
  Duration elapsed();

  /// Runs `task` soon, beside others; it may block. Returns before `task` runs.
  void start(Runnable task);

  /// Runs `task` after `delay`, as [#start] does.
  Timer after(Duration delay, Runnable task);

  /// For jitter and for names that nobody else takes.
  RandomGenerator random();

  /// A task that has not run yet.
  interface Timer {
    /// Does nothing if the task runs or has run.
    void cancel();
  }
}

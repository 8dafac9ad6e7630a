package dev.berth.sidecar.testing;

import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Time that stands still until a test moves it. All tasks run one after the other in the thread of
/// the test.
public final class StoppedTime implements Time, InstantSource {
  private final PriorityQueue<Due> tasks =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private final RandomGenerator random = new SplittableRandom(1);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long order;

  private record Due(Instant at, long order, Runnable task) {}

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Duration elapsed() {
    return Duration.between(Instant.EPOCH, now);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public void start(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var due = new Due(now.plus(delay), order++, task);
    tasks.add(due);
    return () -> tasks.remove(due);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  /// Runs all that is due now, and what that brings with it.
  public void settle() {
    pass(Duration.ZERO);
  }

  /// Lets `duration` pass.
  public void pass(Duration duration) {
    var end = now.plus(duration);
    while (!tasks.isEmpty() && !tasks.peek().at().isAfter(end)) {
      var due = tasks.poll();
      if (due.at().isAfter(now)) now = due.at();
      due.task().run();
    }
    now = end;
  }
}

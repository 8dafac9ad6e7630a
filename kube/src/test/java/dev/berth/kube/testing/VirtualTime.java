package dev.berth.kube.testing;

import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Time that stands still until a test moves it. Tasks run one after the other in the thread that
/// moves it; those of one moment in an order that the seed decides.
public final class VirtualTime implements Time {
  private final RandomGenerator random;
  private final PriorityQueue<Due> tasks =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Instant begun = now; // moves with the clock when that is set

  public VirtualTime(long seed) {
    random = new SplittableRandom(seed);
  }

  private record Due(Instant at, long order, Runnable task) {}

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Duration elapsed() {
    return Duration.between(begun, now);
  }

  @Override
  public void start(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var due = new Due(now.plus(delay), random.nextLong(), task);
    tasks.add(due);
    return () -> tasks.removeIf(it -> it.task == task && it.order == due.order);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  /// Runs what is due now, and what that starts, until nothing is due.
  public void settle() {
    advance(Duration.ZERO);
  }

  /// Lets `duration` pass, running each task at its time.
  public void advance(Duration duration) {
    var end = now.plus(duration);
    for (var next = tasks.peek(); next != null && !next.at.isAfter(end); next = tasks.peek()) {
      tasks.remove(next);
      if (next.at.isAfter(now)) now = next.at;
      next.task.run();
    }
    now = end;
  }

  /// Lets `duration` pass without anything's running, as for a process that is suspended.
  public void suspend(Duration duration) {
    now = now.plus(duration);
  }

  /// Somebody sets the clock back. Whoever waits, waits as long as he would have.
  public void setBack(Duration duration) {
    var before = List.copyOf(tasks);
    tasks.clear();
    for (var due : before) tasks.add(new Due(due.at.minus(duration), due.order, due.task));
    now = now.minus(duration);
    begun = begun.minus(duration);
  }

  /// Somebody sets the clock forward.
  public void setForward(Duration duration) {
    setBack(duration.negated());
  }

  /// How many tasks there are, due now or later.
  public int pending() {
    return tasks.size();
  }
}

package dev.berth.simulation.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A clock that jumps from one due piece of work to the next. Only one piece runs at any moment;
/// which one of those due at the same moment is the seed's choice, so one seed is one history.
public final class VirtualTime {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final RandomGenerator random;
  private final PriorityQueue<Due> agenda =
      new PriorityQueue<>(
          Comparator.comparing(Due::at).thenComparingLong(Due::lot).thenComparingLong(Due::number));
  private final List<RuntimeException> accidents = new ArrayList<>();
  private final Thread home = Thread.currentThread();
  private Instant now = BEGIN;
  private long numbers;
  private long steps;

  public VirtualTime(long seed) {
    random = new SplittableRandom(seed);
  }

  /// Work to come.
  ///
  /// @param lot drawn, decides among those of one moment
  private record Due(Instant at, long lot, long number, Runnable work) {}

  public Instant now() {
    return now;
  }

  /// Time since the beginning.
  public Duration elapsed() {
    return Duration.between(BEGIN, now);
  }

  /// The one source of chance of a simulation.
  public RandomGenerator random() {
    return random;
  }

  /// A duration of at most `longest`, drawn evenly.
  public Duration upTo(Duration longest) {
    return longest.isZero() ? longest : Duration.ofNanos(random.nextLong(longest.toNanos()));
  }

  /// How many pieces of work were done.
  public long steps() {
    return steps;
  }

  /// Whether something of this probability happens now.
  public boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /// Puts `work` on the agenda.
  ///
  /// @return takes it off
  public Runnable after(Duration delay, Runnable work) {
    var due = new Due(now.plus(delay), random.nextLong(), numbers++, work);
    agenda.add(due);
    return () -> agenda.remove(due);
  }

  /// Puts a thread on the agenda that may go on.
  void soon(Runnable thread) {
    if (!Thread.currentThread().isVirtual() && !Thread.currentThread().equals(home))
      throw new IllegalStateException("woken by the real world, in " + Thread.currentThread());
    after(Duration.ZERO, thread);
  }

  /// Something happened that no simulated process survives.
  void fail(RuntimeException accident) {
    accidents.add(accident);
  }

  /// Does the next piece of work.
  ///
  /// @return false: there is none before `end`, and it is `end` now
  public boolean step(Instant end) {
    var next = agenda.peek();
    if (next == null || next.at.isAfter(end)) {
      if (end.isAfter(now)) now = end;
      return false;
    }
    agenda.remove();
    now = next.at;
    steps++;
    next.work.run();
    if (!accidents.isEmpty()) throw accidents.getFirst();
    return true;
  }
}

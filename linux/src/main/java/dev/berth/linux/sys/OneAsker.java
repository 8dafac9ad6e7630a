package dev.berth.linux.sys;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Asks things of which any may never answer, as dead disks, again and again without a thread for
/// each time: who has not come back from one has it alone, and all others are told at once that it
/// does not answer.
///
/// @param <K> by what one thing is told from others
public final class OneAsker<K> {
  private final Map<K, Integer> overdue = new HashMap<>(); // guarded by this

  /// [Blocking#call], but of something that is known not to answer.
  ///
  /// @throws LinuxException [Failure.TimedOut] at once while an earlier call is overdue
  public <T> T call(K thing, String attempt, Duration deadline, Supplier<T> work) {
    if (isOverdue(thing)) throw new LinuxException(attempt, new Failure.TimedOut(deadline));
    var mine = new Call(thing);
    try {
      return Blocking.call(
          attempt,
          deadline,
          () -> {
            try {
              return work.get();
            } finally {
              mine.back();
            }
          });
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.TimedOut) mine.givenUp();
      throw e;
    }
  }

  /// Whether somebody has not come back from there in time.
  public synchronized boolean isOverdue(K thing) {
    return overdue.containsKey(thing);
  }

  private synchronized void count(K thing, int change) {
    overdue.compute(
        thing,
        (_, before) -> {
          int now = (before == null ? 0 : before) + change;
          return now == 0 ? null : now;
        });
  }

  private final class Call {
    private final K thing;
    private boolean back; // guarded by this, like the next
    private boolean counted;

    private Call(K thing) {
      this.thing = thing;
    }

    private synchronized void back() {
      back = true;
      if (counted) count(thing, -1);
    }

    private synchronized void givenUp() {
      if (back) return;
      counted = true;
      count(thing, 1);
    }
  }
}

package dev.berth.kube.event;

import java.time.Duration;
import java.time.Instant;

/// How often one object may still be told of: 25 times at once, then every five minutes, as
/// client-go's spam filter has it.
final class Allowance {
  private static final int MOST = 25;
  private static final Duration REFILL = Duration.ofMinutes(5);

  private int left = MOST;
  private Instant refilled;

  Allowance(Instant now) {
    refilled = now;
  }

  boolean take(Instant now) {
    long due = Duration.between(refilled, now).dividedBy(REFILL);
    if (due > 0) {
      left = (int) Math.min(MOST, left + due);
      refilled = refilled.plus(REFILL.multipliedBy(due));
    }
    if (left == 0) return false;
    left--;
    return true;
  }
}

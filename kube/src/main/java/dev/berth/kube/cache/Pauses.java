package dev.berth.kube.cache;

import dev.berth.kube.time.Time;
import java.time.Duration;

/// How long whoever failed waits before he asks again. Exponential with full jitter above the half,
/// so that many clients do not come back at once.
final class Pauses {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = FIRST.multipliedBy(512); // about 26 s

  /// One that has lasted for so long was served, and ended by somebody on the way.
  private static final Duration SERVED = Duration.ofSeconds(2);

  private final Time time;
  private Duration last = Duration.ZERO; // guarded by this

  Pauses(Time time) {
    this.time = time;
  }

  /// After a failure.
  Duration next() {
    return next(LONGEST);
  }

  /// After a watch that was not ended from here.
  Duration afterWatch(Duration lasted) {
    return next(lasted.compareTo(SERVED) > 0 ? lasted.dividedBy(10) : LONGEST);
  }

  synchronized void wentWell() {
    last = Duration.ZERO;
  }

  private synchronized Duration next(Duration most) {
    var grown = last.isZero() ? FIRST : last.multipliedBy(2);
    if (grown.compareTo(LONGEST) > 0) grown = LONGEST;
    if (grown.compareTo(most) > 0) grown = most;
    if (grown.compareTo(last) > 0) last = grown; // a short one after long ones ends no trouble
    long half = grown.toMillis() / 2;
    return Duration.ofMillis(half + time.random().nextLong(half + 1));
  }
}

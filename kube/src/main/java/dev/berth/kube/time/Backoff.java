package dev.berth.kube.time;

import java.time.Duration;

/// How long to wait after failures in a row: `start`, doubling, at most `max`.
public record Backoff(Duration start, Duration max) {
  public Backoff {
    if (!start.isPositive() || max.compareTo(start) < 0)
      throw new IllegalArgumentException("back-off from " + start + " to " + max);
  }

  /// The pause after a failure.
  ///
  /// @param failures in a row so far, the one just seen included; at least 1
  public Duration after(int failures) {
    // 2^40 times any start is beyond any maximum, and far from overflow.
    var nanos = start.toNanos() * Math.scalb(1.0, Math.min(failures - 1, 40));
    return nanos >= max.toNanos() ? max : Duration.ofNanos((long) nanos);
  }
}

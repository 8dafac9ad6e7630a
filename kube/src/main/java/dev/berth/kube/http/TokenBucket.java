package dev.berth.kube.http;

import dev.berth.kube.api.Caller.Rate;
import java.time.Duration;

/// Bounds how often somebody asks, as client-go's rate limiter does. Full at first.
final class TokenBucket {
  private final long each; // nanoseconds
  private final long full;
  private long paidUntil; // guarded by this

  /// @param now as [Waiting#nanos] counts
  TokenBucket(Rate rate, long now) {
    each = Math.max(1, Math.round(1e9 / rate.perSecond()));
    full = each * rate.burst();
    paidUntil = now - full;
  }

  /// Takes a token.
  ///
  /// @return how long until it is there; zero: it is
  synchronized Duration take(long now) {
    paidUntil = Math.max(paidUntil - now, -full) + now + each;
    return Duration.ofNanos(Math.max(0, paidUntil - now));
  }
}

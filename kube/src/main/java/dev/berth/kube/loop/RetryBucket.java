package dev.berth.kube.loop;

import java.time.Duration;
import java.time.Instant;

/// Bounds the retries of all keys of a loop together, as client-go's overall token bucket (K8S-08):
/// 1,000 at once, then 100 a second.
final class RetryBucket {
  private static final Duration EACH = Duration.ofMillis(10);
  private static final Duration AT_ONCE = EACH.multipliedBy(1000);

  private Instant paidUntil = Instant.MIN;

  /// Takes a token.
  ///
  /// @return when it is there, at the earliest `now`
  Instant take(Instant now) {
    var full = now.minus(AT_ONCE);
    paidUntil = (paidUntil.isBefore(full) ? full : paidUntil).plus(EACH);
    return paidUntil.isBefore(now) ? now : paidUntil;
  }
}

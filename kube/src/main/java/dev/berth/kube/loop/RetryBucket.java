package dev.berth.kube.loop;

import java.time.Duration;

/// Bounds the retries of all keys of a loop together, as client-go's overall token bucket (K8S-08):
/// 1,000 at once, then 100 a second.
final class RetryBucket {
  private static final Duration EACH = Duration.ofMillis(10);
  private static final Duration AT_ONCE = EACH.multipliedBy(1000);

  private Duration paidUntil = AT_ONCE.negated();

  /// Takes a token.
  ///
  /// @param now as [dev.berth.kube.time.Time#elapsed] has it
  /// @return when it is there, at the earliest `now`
  Duration take(Duration now) {
    var full = now.minus(AT_ONCE);
    paidUntil = (paidUntil.compareTo(full) < 0 ? full : paidUntil).plus(EACH);
    return paidUntil.compareTo(now) < 0 ? now : paidUntil;
  }
}

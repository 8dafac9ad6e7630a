package dev.berth.kube.lease;

import java.time.Duration;

/// The times of an election (ONE-20).
///
/// @param lease how long a renewal holds for those who wait, in whole seconds: a Lease says no
///   other
/// @param renew how long a leader goes on without having renewed it
/// @param retry how long between two renewals, and between two looks of those who wait
public record Terms(Duration lease, Duration renew, Duration retry) {
  /// Upstream's sidecars'.
  public static final Terms SIDECAR =
      new Terms(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(5));

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// @throws IllegalArgumentException if two could lead at once, or a leader could not renew
  public Terms {
    if (!retry.isPositive()) throw new IllegalArgumentException("the retry period is " + retry);
    if (renew.compareTo(retry) <= 0)
      throw new IllegalArgumentException(
          "the renew deadline (%s) has to be longer than the retry period (%s)"
              .formatted(renew, retry));
    if (lease.toNanosPart() != 0)
      throw new IllegalArgumentException(
          "the lease duration (%s) has to be in whole seconds".formatted(lease));
    if (lease.compareTo(renew) <= 0)
      throw new IllegalArgumentException(
          "the lease duration (%s) has to be longer than the renew deadline (%s)"
              .formatted(lease, renew));
  }

  /// How long a request may take: one that hangs does not cost a leader its Lease, as there is time
  /// for another. It begins when a retry period has passed, so half of what is left then; client-go
  /// takes half of all, where one that hangs ends as the deadline does.
  Duration answer() {
    var half = renew.minus(retry).dividedBy(2);
    return half.compareTo(SHORTEST) < 0 ? SHORTEST : half;
  }
}

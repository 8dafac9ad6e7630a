package dev.berth.kube.loop;

import java.time.Duration;

/// How fast a loop goes.
///
/// @param firstRetry pause after a first failure; each further one in a row doubles it
/// @param longestRetry longest pause after a failure
/// @param parallel how many keys are worked on at the same time
public record Pace(Duration firstRetry, Duration longestRetry, int parallel) {
  /// As kube-controller-manager's volume controllers: 500 ms to 2 min 2 s (BIND-06, AD-03).
  public static final Pace CONTROLLER =
      new Pace(Duration.ofMillis(500), Duration.ofSeconds(122), 100);

  /// As the CSI sidecars' `--retry-interval-start` and `--retry-interval-max`.
  public static final Pace SIDECAR = new Pace(Duration.ofSeconds(1), Duration.ofMinutes(5), 100);

  public Pace {
    if (firstRetry.isNegative() || firstRetry.isZero())
      throw new IllegalArgumentException("first retry after " + firstRetry + ": not positive");
    if (longestRetry.compareTo(firstRetry) < 0)
      throw new IllegalArgumentException(
          "longest retry " + longestRetry + " is below the first, " + firstRetry);
    if (parallel < 1) throw new IllegalArgumentException("parallel is " + parallel + ", below 1");
  }

  public Pace retry(Duration first, Duration longest) {
    return new Pace(first, longest, parallel);
  }

  public Pace parallel(int keys) {
    return new Pace(firstRetry, longestRetry, keys);
  }

  /// Pause after the last of `failures` failures in a row.
  Duration pause(int failures) {
    var pause = firstRetry;
    for (int i = 1; i < failures && pause.compareTo(longestRetry) < 0; i++)
      pause = pause.multipliedBy(2);
    return pause.compareTo(longestRetry) < 0 ? pause : longestRetry;
  }
}

package dev.berth.kube.loop;

import dev.berth.kube.time.Backoff;
import java.time.Duration;

/// How fast a loop goes.
///
/// @param retry pause after failures of a key
/// @param race pause after races that a key lost in a row, from the second on
/// @param parallel how many keys are worked on at the same time
public record Pace(Backoff retry, Backoff race, int parallel) {
  /// As client-go's `retry.DefaultRetry` after a conflict begins: who wins one needs a few
  /// milliseconds, not the pause of a failure.
  private static final Backoff RACE = new Backoff(Duration.ofMillis(10), Duration.ofMinutes(2));

  /// As kube-controller-manager's volume controllers: 500 ms to 2 min 2 s (BIND-06, AD-03).
  public static final Pace CONTROLLER =
      new Pace(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122)), RACE, 100);

  /// As the CSI sidecars' `--retry-interval-start` and `--retry-interval-max`.
  public static final Pace SIDECAR =
      new Pace(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)), RACE, 100);

  public Pace {
    if (parallel < 1) throw new IllegalArgumentException("parallel is " + parallel + ", below 1");
  }

  public Pace retry(Backoff other) {
    return new Pace(other, race, parallel);
  }

  public Pace parallel(int keys) {
    return new Pace(retry, race, keys);
  }
}

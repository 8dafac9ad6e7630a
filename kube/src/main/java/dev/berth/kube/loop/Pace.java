package dev.berth.kube.loop;

import dev.berth.kube.time.Backoff;
import java.time.Duration;

/// How fast a loop goes.
///
/// @param retry pause after failures of a key
/// @param parallel how many keys are worked on at the same time
public record Pace(Backoff retry, int parallel) {
  /// As kube-controller-manager's volume controllers: 500 ms to 2 min 2 s (BIND-06, AD-03).
  public static final Pace CONTROLLER =
      new Pace(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122)), 100);

  /// As the CSI sidecars' `--retry-interval-start` and `--retry-interval-max`.
  public static final Pace SIDECAR =
      new Pace(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)), 100);

  public Pace {
    if (parallel < 1) throw new IllegalArgumentException("parallel is " + parallel + ", below 1");
  }

  public Pace retry(Backoff other) {
    return new Pace(other, parallel);
  }

  public Pace parallel(int keys) {
    return new Pace(retry, keys);
  }
}

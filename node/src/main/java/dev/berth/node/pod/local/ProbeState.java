package dev.berth.node.pod.local;

import java.time.Instant;

/// What a probe has said so far.
///
/// @param begun when the latest try began; [Instant#MIN]: there was none
/// @param underWay whether it is not over
/// @param successes how many of the latest tries succeeded, one after the other
/// @param failures how many failed
/// @param verdict what follows from that
public record ProbeState(
    Instant begun, boolean underWay, int successes, int failures, Verdict verdict) {
  /// Nothing yet.
  public static final ProbeState NONE = new ProbeState(Instant.MIN, false, 0, 0, Verdict.OPEN);

  /// Changes only when enough tries in a row say so.
  public enum Verdict {
    OPEN,
    SUCCESS,
    FAILURE
  }

  public ProbeState begin(Instant now) {
    return new ProbeState(now, true, successes, failures, verdict);
  }

  /// Nothing came of the try.
  public ProbeState over() {
    return new ProbeState(begun, false, successes, failures, verdict);
  }

  /// @param enough successes in a row for a success
  public ProbeState succeed(int enough) {
    int count = successes + 1;
    return new ProbeState(begun, false, count, 0, count >= enough ? Verdict.SUCCESS : verdict);
  }

  /// @param enough failures in a row for a failure
  public ProbeState fail(int enough) {
    int count = failures + 1;
    return new ProbeState(begun, false, 0, count, count >= enough ? Verdict.FAILURE : verdict);
  }
}

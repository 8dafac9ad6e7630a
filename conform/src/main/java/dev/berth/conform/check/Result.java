package dev.berth.conform.check;

import java.time.Duration;
import java.util.List;

/// A check that was made.
///
/// @param left what of its things could not be taken back
public record Result(Check check, Outcome outcome, Duration took, List<String> left) {
  public Result {
    left = List.copyOf(left);
  }

  public boolean failed() {
    return outcome instanceof Outcome.Failed;
  }
}

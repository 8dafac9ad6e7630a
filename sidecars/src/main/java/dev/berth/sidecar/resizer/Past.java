package dev.berth.sidecar.resizer;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What earlier attempts have left on a claim. Upstream keeps it in memory and forgets it with each
/// restart (RSZ-54); we read it from the conditions (RSZ-55).
final class Past {
  /// Reasons of condition `Resizing`: the last attempt has failed for certain. While it runs, and
  /// if nobody knows how it ended, the condition has no reason.
  static final String FAILED = "WaitingForRetry";

  static final String FAILED_WHILE_USED = "VolumeInUse";

  private Past() {}

  /// Whether the last attempt has failed for certain: nothing is under way.
  static boolean hasFailed(Claim claim) {
    var reason = reason(claim);
    return reason.equals(FAILED) || reason.equals(FAILED_WHILE_USED);
  }

  /// Whether the driver has refused because somebody uses the volume (RSZ-60).
  static boolean hasFailedWhileUsed(Claim claim) {
    return reason(claim).equals(FAILED_WHILE_USED);
  }

  /// Whether an infeasible size has been asked for again and it is not known how that ended
  /// (RSZ-32). The stage stays while it is (RSZ-33), so the condition tells: only we write a
  /// message there, and a reason once the driver has answered.
  static boolean isAskedAgain(Claim claim) {
    return claim.growth().stage() == Stage.CONTROLLER_INFEASIBLE
        && claim
            .condition(ClaimCondition.RESIZING)
            .filter(it -> it.isTrue() && it.reason().isEmpty() && !it.message().isEmpty())
            .isPresent();
  }

  /// When a size that was found infeasible may be asked for again; conditions have whole seconds.
  ///
  /// @return empty: it was not, or nobody knows when, or how that ended has to be found out
  static Optional<Instant> slowUntil(Claim claim, Duration slow) {
    if (claim.growth().stage() != Stage.CONTROLLER_INFEASIBLE || isAskedAgain(claim))
      return Optional.empty();
    return claim
        .condition(ClaimCondition.CONTROLLER_RESIZE_ERROR)
        .flatMap(ClaimCondition::since)
        .map(since -> since.plusSeconds(1).plus(slow));
  }

  private static String reason(Claim claim) {
    return claim.condition(ClaimCondition.RESIZING).map(ClaimCondition::reason).orElse("");
  }
}

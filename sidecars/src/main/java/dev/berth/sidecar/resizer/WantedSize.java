package dev.berth.sidecar.resizer;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.Volume;
import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// How large a volume has to become next for a claim that asks for more than it has. That is not
/// always what the claim asks for now: what was begun with another size is ended with that size
/// first (RSZ-32).
final class WantedSize {
  private final Reach reach;

  WantedSize(Reach reach) {
    this.reach = reach;
  }

  /// @return empty: it is a node's turn
  Optional<Quantity> of(Claim claim, Volume volume) {
    return volume.capacity().compareTo(claim.request()) < 0
        ? ofSmaller(claim, volume)
        : ofLarger(claim);
  }

  /// The volume is smaller than asked for (RSZ-30, line by line).
  private static Optional<Quantity> ofSmaller(Claim claim, Volume volume) {
    var asked = claim.growth().allocated().orElse(claim.request());
    return switch (claim.growth().stage()) {
      case NODE_PENDING, NODE_IN_PROGRESS ->
          volume.capacity().compareTo(asked) >= 0 ? Optional.empty() : Optional.of(asked);
      case NODE_INFEASIBLE -> Optional.of(asked);
      case CONTROLLER_IN_PROGRESS ->
          Optional.of(Past.hasFailed(claim) ? claim.request() : asked); // RSZ-55
      case CONTROLLER_INFEASIBLE ->
          Optional.of(Past.isAskedAgain(claim) ? asked : claim.request()); // RSZ-32, RSZ-34
      case NONE, UNKNOWN -> Optional.of(claim.request()); // RSZ-34
    };
  }

  /// The volume is as large as asked for, and the claim does not show it (RSZ-31, line by line).
  private Optional<Quantity> ofLarger(Claim claim) {
    var allocated = claim.growth().allocated();
    return switch (claim.growth().stage()) {
      case NODE_PENDING, NODE_IN_PROGRESS -> Optional.empty();
      case NODE_INFEASIBLE ->
          Optional.of(
              switch (reach) {
                case CONTROLLER -> allocated.orElse(claim.request());
                case NODE -> claim.request();
              });
      case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE ->
          Optional.of(allocated.orElse(claim.request()));
      case NONE -> allocated.or(() -> unlessPending(claim));
      case UNKNOWN -> unlessPending(claim);
    };
  }

  private static Optional<Quantity> unlessPending(Claim claim) {
    boolean pending =
        claim
            .condition(ClaimCondition.FILE_SYSTEM_RESIZE_PENDING)
            .filter(ClaimCondition::isTrue)
            .isPresent();
    return pending ? Optional.empty() : Optional.of(claim.request());
  }
}

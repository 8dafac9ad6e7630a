package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.simulation.driver.Backend;
import java.util.Optional;

/// Every claim reaches Bound, if it is of an Immediate class or a pod wants it, and stays so.
final class ClaimsGetBound implements Invariant {
  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return objects.all(Kinds.CLAIM).stream()
        .filter(claim -> !claim.meta().deleting())
        .filter(claim -> claim.phase() != Claim.Phase.BOUND)
        .findFirst()
        .map(claim -> "claim %s is %s".formatted(claim.meta().key(), claim.phase()));
  }

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    return objects.all(Kinds.CLAIM).stream()
        .filter(claim -> claim.phase() == Claim.Phase.LOST)
        .findFirst()
        .map(claim -> "claim %s has lost its volume".formatted(claim.meta().key()));
  }
}

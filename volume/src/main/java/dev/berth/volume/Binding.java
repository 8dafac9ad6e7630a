package dev.berth.volume;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;

/// Whether a claim and a volume are bound to each other.
public final class Binding {
  private Binding() {}

  /// Whether the volume names this very claim, by uid: one that names it by name only is reserved
  /// for whoever comes with that name (BIND-22), and nobody may use it yet.
  public static boolean holds(Volume volume, Claim claim) {
    return volume.claim().filter(ref -> !ref.uid().isEmpty() && ref.names(claim)).isPresent();
  }

  /// Whether each names the other.
  public static boolean isMutual(Claim claim, Volume volume) {
    return claim.volumeName().equals(volume.meta().name()) && holds(volume, claim);
  }
}

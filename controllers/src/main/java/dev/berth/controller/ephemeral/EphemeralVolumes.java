package dev.berth.controller.ephemeral;

import dev.berth.controller.Means;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' ephemeral volume controller.
public final class EphemeralVolumes {
  private static final Role ROLE =
      Role.of("ephemeral volume controller", "ephemeral_volume", LeaseNames.CONTROLLER_MANAGER);

  private EphemeralVolumes() {}

  /// Makes the claims that pods want for themselves alone.
  public static Concern<Means, ObjectKey, ?, ?> claims() {
    return new Concern<>(ROLE, new ClaimMaker(), ClaimMaking::new);
  }
}

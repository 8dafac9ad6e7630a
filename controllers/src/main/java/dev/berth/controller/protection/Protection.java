package dev.berth.controller.protection;

import dev.berth.controller.Means;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' pvc-protection, pv-protection and vac-protection controllers.
public final class Protection {
  private Protection() {}

  /// Keeps claims that pods use.
  public static Concern<Means, ObjectKey, ?, ?> claims() {
    return concern("claim protection", new ClaimProtector(new ClaimProtection()));
  }

  /// Keeps volumes that claims hold.
  public static Concern<Means, ObjectKey, ?, ?> volumes() {
    return concern("volume protection", new VolumeProtector(new VolumeProtection()));
  }

  /// Keeps VolumeAttributesClasses that claims and volumes name.
  public static Concern<Means, ObjectKey, ?, ?> attributesClasses() {
    return concern(
        "attributes class protection",
        new AttributesClassProtector(new AttributesClassProtection()));
  }

  private static Concern<Means, ObjectKey, ?, ?> concern(
      String component, Decider<ObjectKey, View, ProtectionEffect> decider) {
    var role =
        Role.of(
            component,
            "persistentvolumeclaim-protection-controller",
            LeaseNames.CONTROLLER_MANAGER);
    return new Concern<>(role, decider, means -> new ProtectionEffects(means.api()));
  }
}

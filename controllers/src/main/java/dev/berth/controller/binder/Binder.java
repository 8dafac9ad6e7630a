package dev.berth.controller.binder;

import dev.berth.controller.Means;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' PersistentVolume controller: one decider for claims, one for the volumes that no
/// living claim holds.
public final class Binder {
  private static final Role ROLE =
      Role.of("binder", "persistentvolume-controller", LeaseNames.CONTROLLER_MANAGER); // VOC-03

  /// What can be chosen.
  ///
  /// @param dynamicProvisioning whether provisioners are asked for volumes at all (BIND-12)
  /// @param honorPodNodeName whether a pod that was placed by hand selects the node (BIND-16)
  public record Options(boolean dynamicProvisioning, boolean honorPodNodeName) {
    public static final Options DEFAULT = new Options(true, true);
  }

  private Binder() {}

  /// Binds claims.
  public static Concern<Means, ObjectKey, ?, ?> claims(Options options) {
    return new Concern<>(ROLE, new ClaimBinder(new ClaimDecision(options)), Binder::effects);
  }

  /// Offers, releases and hands over for reclaiming what no claim holds; keyed by volume.
  public static Concern<Means, ObjectKey, ?, ?> volumes() {
    return new Concern<>(ROLE, new VolumeBinder(new VolumeDecision()), Binder::effects);
  }

  private static BinderEffects effects(Means means) {
    return new BinderEffects(means.api(), means.events(), means.metrics());
  }
}

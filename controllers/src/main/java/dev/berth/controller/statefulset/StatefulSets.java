package dev.berth.controller.statefulset;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' StatefulSet controller.
public final class StatefulSets {
  private static final Role ROLE =
      Role.of("statefulset controller", "statefulset-controller", LeaseNames.CONTROLLER_MANAGER);

  private StatefulSets() {}

  /// Keeps the sets' pods and claims.
  public static Concern<Means, ObjectKey, ?, ?> sets() {
    return new Concern<>(ROLE, new SetKeeper(), WorkloadEffects::new);
  }
}

package dev.berth.controller.replicaset;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' ReplicaSet controller.
public final class ReplicaSets {
  private static final Role ROLE =
      Role.of("replicaset controller", "replicaset-controller", LeaseNames.CONTROLLER_MANAGER);

  private ReplicaSets() {}

  /// Keeps the sets' pods.
  public static Concern<Means, ObjectKey, ?, ?> sets() {
    return new Concern<>(ROLE, new ReplicaKeeper(), WorkloadEffects::new);
  }
}

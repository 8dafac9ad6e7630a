package dev.berth.controller.daemonset;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' DaemonSet controller.
public final class DaemonSets {
  private static final Role ROLE =
      Role.of("daemonset controller", "daemonset-controller", LeaseNames.CONTROLLER_MANAGER);

  private DaemonSets() {}

  /// Keeps the sets' pods.
  public static Concern<Means, ObjectKey, ?, ?> sets() {
    return new Concern<>(ROLE, new DaemonKeeper(), WorkloadEffects::new);
  }
}

package dev.berth.controller.deployment;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' Deployment controller.
public final class Deployments {
  private static final Role ROLE =
      Role.of("deployment controller", "deployment-controller", LeaseNames.CONTROLLER_MANAGER);

  private Deployments() {}

  /// Makes and scales the Deployments' ReplicaSets.
  public static Concern<Means, ObjectKey, ?, ?> deployments() {
    return new Concern<>(ROLE, new DeploymentKeeper(), WorkloadEffects::new);
  }
}

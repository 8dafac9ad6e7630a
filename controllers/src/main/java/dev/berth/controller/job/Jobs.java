package dev.berth.controller.job;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' Job controller, and its controller for what has finished long ago.
public final class Jobs {
  private static final Role ROLE =
      Role.of("job controller", "job-controller", LeaseNames.CONTROLLER_MANAGER);

  private Jobs() {}

  /// Runs the Jobs' pods.
  public static Concern<Means, ObjectKey, ?, ?> jobs() {
    return new Concern<>(ROLE, new JobKeeper(), WorkloadEffects::new);
  }

  /// Lets go of pods that no Job counts any more.
  public static Concern<Means, ObjectKey, ?, ?> left() {
    return new Concern<>(ROLE, new LeftPods(), PodRelease::new);
  }
}

package dev.berth.controller.cronjob;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' CronJob controller.
public final class CronJobs {
  private static final Role ROLE =
      Role.of("cron job controller", "cronjob-controller", LeaseNames.CONTROLLER_MANAGER);

  private CronJobs() {}

  /// Makes their Jobs.
  public static Concern<Means, ObjectKey, ?, ?> jobs() {
    return new Concern<>(ROLE, new CronKeeper(), WorkloadEffects::new);
  }
}

package dev.berth.controller.disruption;

import dev.berth.controller.Means;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import java.util.List;

/// Kubernetes' disruption controller.
public final class Disruptions {
  /// The kinds that only it reads.
  public static final List<Kind<?>> KINDS =
      List.of(
          Budget.KIND,
          Workload.REPLICA_SET,
          Workload.DEPLOYMENT,
          Workload.STATEFUL_SET,
          Workload.REPLICATION_CONTROLLER);

  private static final Role ROLE =
      Role.of("disruption controller", "controllermanager", LeaseNames.CONTROLLER_MANAGER);

  private Disruptions() {}

  /// Counts what budgets allow.
  public static Concern<Means, ObjectKey, ?, ?> budgets() {
    return new Concern<>(ROLE, new BudgetKeeper(), BudgetTelling::new);
  }
}

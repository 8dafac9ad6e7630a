package dev.berth.apiserver.core.kind.workload;

import static java.util.Map.entry;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of each kind of workload.
public final class WorkloadBook {
  public static final Map<Resource, Rules> RULES =
      Map.ofEntries(
          entry(StoredResources.DEPLOYMENTS, new DeploymentRules()),
          entry(StoredResources.REPLICA_SETS, new ReplicaSetRules()),
          entry(StoredResources.STATEFUL_SETS, new StatefulSetRules()),
          entry(StoredResources.DAEMON_SETS, new DaemonSetRules()),
          entry(StoredResources.REVISIONS, new RevisionRules()),
          entry(StoredResources.REPLICATION_CONTROLLERS, new ControllerRules()),
          entry(StoredResources.POD_TEMPLATES, new PodTemplateRules()),
          entry(StoredResources.JOBS, new JobRules()),
          entry(StoredResources.CRON_JOBS, new CronJobRules()),
          entry(StoredResources.AUTOSCALERS, new AutoscalerRules()),
          entry(StoredResources.DISRUPTION_BUDGETS, new BudgetRules()));

  private WorkloadBook() {}
}

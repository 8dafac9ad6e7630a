package dev.berth.apiserver.core.kind.workload;

import static java.util.Map.entry;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of pods and of each kind of workload.
public final class WorkloadBook {
  public static final Map<Resource, Rules> RULES =
      Map.ofEntries(
          entry(Resources.DEPLOYMENTS, new DeploymentRules()),
          entry(Resources.REPLICA_SETS, new ReplicaSetRules()),
          entry(Resources.STATEFUL_SETS, new StatefulSetRules()),
          entry(Resources.DAEMON_SETS, new DaemonSetRules()),
          entry(Resources.REVISIONS, new RevisionRules()),
          entry(StoredResources.REPLICATION_CONTROLLERS, new ControllerRules()),
          entry(StoredResources.POD_TEMPLATES, new PodTemplateRules()),
          entry(Resources.JOBS, new JobRules()),
          entry(Resources.CRON_JOBS, new CronJobRules()),
          entry(StoredResources.AUTOSCALERS, new AutoscalerRules()),
          entry(StoredResources.OLD_AUTOSCALERS, new OldAutoscalerRules()),
          entry(StoredResources.DISRUPTION_BUDGETS, new BudgetRules()),
          entry(Resources.PODS, new PodRules()));

  private WorkloadBook() {}
}

package dev.berth.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.job.Jobs;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The loop that makes Jobs at their times, with the one that makes their pods, on a real server.
class CronJobsTest {
  private static final ObjectKey BACKUP = ObjectKey.of("shop", "backup");
  private static final Draft CRON =
      Draft.of(
          """
          apiVersion: batch/v1
          kind: CronJob
          metadata: {namespace: shop, name: backup}
          spec:
            schedule: "* * * * *"
            concurrencyPolicy: Forbid
            jobTemplate:
              spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: host}]}}}
          """);

  @Test
  void aJobRunsWhenItsTimeHasComeAndGoesWithItsCronJob() throws Exception {
    try (var cluster =
        Cluster.of(
            means -> List.of(CronJobs.jobs().controller(means), Jobs.jobs().controller(means)))) {
      cluster.create(CRON);
      // An hour ago: of what was missed since, the last one is due at once.
      cluster.patchStatus(
          Workload.CRON_JOB,
          BACKUP,
          body -> body.putObject("status").put("lastScheduleTime", "2026-01-01T00:00:00Z"));
      cluster.until(Workload.CRON_JOB, BACKUP, it -> it.status().path("active").size() == 1);
      await().until(() -> cluster.list(Kinds.POD).size() == 1);
      var job = cluster.list(Workload.JOB).getFirst();
      cluster.untilTold("SuccessfulCreate: Created job " + job.meta().name());
      Pods.phase(cluster, cluster.list(Kinds.POD).getFirst().meta().key(), "Succeeded", false);
      cluster.until(Workload.CRON_JOB, BACKUP, it -> it.status().hasNonNull("lastSuccessfulTime"));
      cluster.untilTold(
          "SawCompletedJob: Saw completed job: %s, condition: Complete"
              .formatted(job.meta().name()));
      assertThat(cluster.find(Workload.JOB, job.meta().key())).as("it is history").isPresent();
      cluster.delete(Workload.CRON_JOB, BACKUP);
      await().until(() -> cluster.list(Workload.JOB).isEmpty());
    }
  }
}

package dev.berth.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a CronJob comes to at noon, created at ten.
class CronDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "backup");
  private static final Draft CRON =
      Draft.of(
          """
          apiVersion: batch/v1
          kind: CronJob
          metadata: {namespace: shop, name: backup}
          spec:
            schedule: "30 * * * *"
            concurrencyPolicy: Allow
            successfulJobsHistoryLimit: 1
            failedJobsHistoryLimit: 1
            jobTemplate:
              metadata: {labels: {app: backup}}
              spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: host}]}}}
          """);

  /// Of half past eleven.
  private static final String NAME = "backup-29921010";

  private static final World DUE = World.of(CRON);
  private static final Draft JOB = job(NAME, "2026-11-21T11:30:00Z");
  private static final World BEGUN = World.of(told(CRON, "11:30"), JOB);

  record Row(String sentence, World world, String step) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  private static Row row(String sentence, World world, String step) {
    return new Row(sentence, world, step);
  }

  static final List<Row> rows =
      List.of(
          row("of the times that were missed the last one counts", DUE, "makes " + NAME),
          row(
              "one that is suspended makes none",
              World.of(CRON.set("spec.suspend", "true")),
              "settled"),
          row(
              "what was made for the time is not made again",
              World.of(told(CRON, "11:30")),
              "settled until 2026-11-21T12:30:00Z"),
          row(
              "a Job that its status does not know yet is told, with its time",
              World.of(CRON, JOB),
              "tells {active=[" + NAME + "], lastScheduleTime=2026-11-21T11:30:00Z}"),
          row("one that goes on is left alone", going(BEGUN), "settled until 2026-11-21T12:30:00Z"),
          row(
              "one that has succeeded is told",
              ended(going(BEGUN), "Complete"),
              "tells {active=[], lastSuccessfulTime=2026-11-21T11:45:00Z}; SawCompletedJob: Saw"
                  + " completed job: "
                  + NAME
                  + ", condition: Complete"),
          row(
              "one that has failed is told",
              ended(going(BEGUN), "Failed"),
              "tells {active=[]}; SawCompletedJob: Saw completed job: "
                  + NAME
                  + ", condition: Failed"),
          row(
              "what came too late is not started",
              World.of(CRON.set("spec.startingDeadlineSeconds", "60")),
              "settled until 2026-11-21T12:30:00Z; MissSchedule: Missed scheduled time to start a"
                  + " job: 2026-11-21T11:30:00Z"),
          row("one beside another, if that is allowed", earlier("Allow"), "makes " + NAME),
          row(
              "none beside another, if that is forbidden",
              earlier("Forbid"),
              "settled until 2026-11-21T12:30:00Z; JobAlreadyActive: Not starting job because prior"
                  + " execution is running and concurrency policy is Forbid"),
          row("one in the place of another", earlier("Replace"), "removes backup-29920950"),
          row(
              "somebody else's Job of the name stays",
              World.of(CRON, JOB.without("metadata.ownerReferences")),
              "settled until 2026-11-21T12:30:00Z; FailedCreate: Error creating job: job "
                  + NAME
                  + " is there and is not its own"),
          row(
              "what cannot be read makes none",
              World.of(CRON.set("spec.schedule", "'61 * * * *'")),
              "settled; UnparseableSchedule: unparseable schedule: not from 0 to 59: 61"));

  @ParameterizedTest
  @FieldSource
  void rows(Row row) {
    assertThat(shown(decide(row.world()))).isEqualTo(row.step());
  }

  @Test
  void ofThoseThatHaveEndedOnlyTheLastIsKept() {
    var world =
        World.of(
            told(CRON, "11:30").set("status.lastSuccessfulTime", "'2026-11-21T11:45:00Z'"),
            done(job("backup-1", "2026-11-21T09:30:00Z"), "09"),
            done(job("backup-2", "2026-11-21T10:30:00Z"), "10"),
            done(job("backup-3", "2026-11-21T11:30:00Z"), "11"));
    assertThat(shown(decide(world))).isEqualTo("removes backup-1, backup-2");
  }

  @Test
  void aJobIsWhatItsTemplateSaysAndNamesItsTime() {
    var births = ((Make) ((Act) decide(DUE)).effect()).births();
    JsonNode job = births.getFirst().object();
    assertThat(job.at("/metadata/labels/app").asText()).isEqualTo("backup");
    assertThat(job.at("/metadata/annotations/batch.kubernetes.io~1cronjob-scheduled-timestamp"))
        .hasToString("\"2026-11-21T11:30:00Z\"");
    assertThat(job.at("/metadata/ownerReferences/0/controller").asBoolean()).isTrue();
    assertThat(job.at("/spec/template/spec/restartPolicy").asText()).isEqualTo("Never");
  }

  private static Step decide(World world) {
    return Rule.decide(CronJobs.jobs(), world, KEY);
  }

  private static String shown(Step step) {
    return switch (step) {
      case Act(WorkloadEffect effect, _) -> shown(effect);
      case Settled(var warning, var again) ->
          "settled"
              + again.map(at -> " until " + at).orElse("")
              + warning.map(it -> "; " + it.reason() + ": " + it.message()).orElse("");
      case Step other -> other.toString();
    };
  }

  private static String shown(WorkloadEffect effect) {
    return switch (effect) {
      case Make(var births) -> "makes " + births.getFirst().object().at("/metadata/name").asText();
      case Remove(var deaths) ->
          deaths.stream()
              .map(death -> death.object().key().name())
              .collect(Collectors.joining(", ", "removes ", ""));
      case Change change ->
          "tells "
              + change.body().path("status").properties().stream()
                  .map(field -> field.getKey() + "=" + shown(field.getValue()))
                  .collect(Collectors.joining(", ", "{", "}"))
              + change.told().map(it -> "; " + it.reason() + ": " + it.message()).orElse("");
      case WorkloadEffect other -> other.toString();
    };
  }

  private static String shown(JsonNode value) {
    return value.isArray()
        ? value
            .valueStream()
            .map(it -> it.path("name").asText())
            .collect(Collectors.joining(", ", "[", "]"))
        : value.asText();
  }

  private static Draft told(Draft cron, String time) {
    return cron.set("status.lastScheduleTime", "'2026-11-21T%s:00Z'".formatted(time));
  }

  private static Draft job(String name, String time) {
    return Draft.of(
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              namespace: shop
              name: %s
              ownerReferences:
              - {apiVersion: batch/v1, kind: CronJob, name: backup, uid: uid-backup, controller: true}
            spec: {template: {spec: {containers: [{name: app, image: host}]}}}
            status: {}
            """
                .formatted(name))
        .annotate("batch.kubernetes.io/cronjob-scheduled-timestamp", time);
  }

  private static Draft done(Draft job, String hour) {
    return job.set("status.startTime", "'2026-11-21T%s:30:00Z'".formatted(hour))
        .set("status.completionTime", "'2026-11-21T%s:45:00Z'".formatted(hour))
        .set("status.conditions", "[{type: Complete, status: 'True'}]");
  }

  /// Its status knows the Job.
  private static World going(World world) {
    return world.with(
        world
            .objects()
            .getFirst()
            .set("status.active", "[{name: %1$s, uid: uid-%1$s}]".formatted(NAME)));
  }

  private static World ended(World world, String condition) {
    return world.with(
        done(JOB, "11")
            .set("status.conditions", "[{type: %s, status: 'True'}]".formatted(condition)));
  }

  /// The Job of half past ten goes on.
  private static World earlier(String policy) {
    return World.of(
        told(CRON, "10:30")
            .set("spec.concurrencyPolicy", policy)
            .set("status.active", "[{name: backup-29920950, uid: uid-backup-29920950}]"),
        job("backup-29920950", "2026-11-21T10:30:00Z"));
  }
}

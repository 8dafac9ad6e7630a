package dev.berth.controller.cronjob;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Change.Part;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The next step of one CronJob.
final class CronDecision {
  private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  private final Workload cron;
  private final List<Workload> jobs;
  private final Timetable times;
  private final Snapshot objects;
  private final Instant now;

  /// @param jobs that are its own
  CronDecision(Workload cron, List<Workload> jobs, Timetable times, Snapshot objects, Instant now) {
    this.cron = cron;
    this.jobs = jobs.stream().sorted(Comparator.comparing(job -> job.meta().key())).toList();
    this.times = times;
    this.objects = objects;
    this.now = now;
  }

  Step step() {
    var first = told().or(this::outlived);
    if (first.isPresent()) return new Act(first.get());
    if (cron.spec().path("suspend").asBoolean()) return new Settled();
    return due().map(this::start).orElseGet(() -> until(new Settled()));
  }

  /// To be looked at when the next one is due.
  private Step until(Settled settled) {
    return times.next(last(), now).map(settled::lookAgainAt).orElse(settled);
  }

  // What its status says

  /// Which Jobs go on, when the last one was due, and when one succeeded last.
  private Optional<WorkloadEffect> told() {
    var status = JsonNodeFactory.instance.objectNode();
    var going = jobs.stream().filter(job -> !isFinished(job)).toList();
    var known = uids(cron.status().path("active").valueStream().map(it -> Json.text(it, "uid")));
    if (!known.equals(uids(going.stream().map(job -> job.meta().uid())))) {
      var active = status.putArray("active");
      for (var job : going)
        active
            .addObject()
            .put("kind", Workload.JOB.resource().kind())
            .put("namespace", job.meta().namespace())
            .put("name", job.meta().name())
            .put("uid", job.meta().uid())
            .put("apiVersion", Workload.JOB.resource().apiVersion())
            .put("resourceVersion", job.meta().resourceVersion());
    }
    latest(CronDecision::scheduled)
        .filter(at -> isLater(at, "lastScheduleTime"))
        .ifPresent(at -> status.put("lastScheduleTime", at.toString()));
    latest(CronDecision::succeeded)
        .filter(at -> isLater(at, "lastSuccessfulTime"))
        .ifPresent(at -> status.put("lastSuccessfulTime", at.toString()));
    if (status.isEmpty()) return Optional.empty();
    return Optional.of(
        new Change(
            cron.resource(),
            Revision.of(cron.meta()),
            JsonNodeFactory.instance.objectNode().set("status", status),
            Part.STATUS,
            completion(known)));
  }

  private static HashSet<String> uids(Stream<String> uids) {
    return new HashSet<>(uids.toList());
  }

  private Optional<Instant> latest(Function<Workload, Optional<Instant>> of) {
    return jobs.stream().flatMap(job -> of.apply(job).stream()).max(Comparator.naturalOrder());
  }

  private boolean isLater(Instant at, String field) {
    return Json.instant(cron.status(), field).filter(known -> !known.isBefore(at)).isEmpty();
  }

  /// Of one that has ended since.
  private Optional<Notice> completion(HashSet<String> known) {
    return jobs.stream()
        .filter(job -> isFinished(job) && known.contains(job.meta().uid()))
        .findFirst()
        .map(job ->
            Notice.normal(
                cron.ref(),
                Reasons.SAW_COMPLETED_JOB,
                "Saw completed job: %s, condition: %s"
                    .formatted(job.meta().name(), is(job, "Complete") ? "Complete" : "Failed")));
  }

  private static Optional<Instant> scheduled(Workload job) {
    return job.meta()
        .annotation(SCHEDULED)
        .flatMap(text -> Json.instant(JsonNodeFactory.instance.objectNode().put("at", text), "at"));
  }

  private static Optional<Instant> succeeded(Workload job) {
    return is(job, "Complete") ? Json.instant(job.status(), "completionTime") : Optional.empty();
  }

  private static boolean isFinished(Workload job) {
    return is(job, "Complete") || is(job, "Failed");
  }

  private static boolean is(Workload job, String condition) {
    for (JsonNode each : job.status().path("conditions"))
      if (Json.text(each, "type").equals(condition))
        return Json.text(each, "status").equals("True");
    return false;
  }

  // What it keeps

  /// Those beyond its history, the oldest first.
  private Optional<WorkloadEffect> outlived() {
    var some =
        Stream.concat(
                beyond("successfulJobsHistoryLimit", job -> is(job, "Complete")),
                beyond("failedJobsHistoryLimit", job -> is(job, "Failed")))
            .toList();
    return some.isEmpty() ? Optional.empty() : Optional.of(remove(some));
  }

  private Stream<Workload> beyond(String limit, Predicate<Workload> which) {
    var kept = Json.number(cron.spec(), limit);
    if (kept.isEmpty()) return Stream.empty();
    var ended =
        jobs.stream()
            .filter(job -> which.test(job) && !job.meta().deleting())
            .sorted(Comparator.comparing(CronDecision::began))
            .toList();
    return ended.stream().limit(Math.max(0, ended.size() - kept.getAsLong()));
  }

  private static Instant began(Workload job) {
    return Json.instant(job.status(), "startTime").orElse(job.meta().created());
  }

  private WorkloadEffect remove(List<Workload> some) {
    return new Remove(
        some.stream()
            .map(job ->
                new Death(
                    job.ref(),
                    Optional.of(
                        Notice.normal(
                            cron.ref(),
                            Reasons.SUCCESSFUL_DELETE,
                            "Deleted job " + job.meta().name())),
                    Optional.of(
                        Notice.warning(cron.ref(), Reasons.FAILED_DELETE, "Deleted job: "))))
            .toList());
  }

  // What it starts

  /// The last time that has come and for which there was no Job yet.
  private Optional<Instant> due() {
    return times.last(last(), now);
  }

  private Instant last() {
    var began = Json.instant(cron.status(), "lastScheduleTime").orElse(cron.meta().created());
    return Stream.concat(Stream.of(began), latest(CronDecision::scheduled).stream())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private Step start(Instant due) {
    if (isMissed(due))
      return until(
          Settled.but(
              Notice.warning(
                  cron.ref(),
                  Reasons.MISS_SCHEDULE,
                  "Missed scheduled time to start a job: " + due)));
    var key = ObjectKey.of(cron.meta().namespace(), name(due));
    var there = objects.get(Workload.JOB, key).found();
    if (there.filter(job -> cron.owns(job.meta())).isPresent()) return until(new Settled());
    if (there.isPresent())
      return until(
          Settled.but(
              Notice.warning(
                  cron.ref(),
                  Reasons.FAILED_CREATE,
                  "Error creating job: job %s is there and is not its own".formatted(key.name()))));
    var going = jobs.stream().filter(job -> !isFinished(job)).toList();
    return switch (Json.text(cron.spec(), "concurrencyPolicy")) {
      case "Forbid" -> going.isEmpty() ? make(key, due) : until(Settled.but(forbidden()));
      case "Replace" -> going.isEmpty() ? make(key, due) : replace(going);
      case String _ -> make(key, due);
    };
  }

  private Step make(ObjectKey key, Instant due) {
    return new Act(new Make(List.of(birth(key, due))));
  }

  private Notice forbidden() {
    return Notice.normal(
        cron.ref(),
        Reasons.JOB_ALREADY_ACTIVE,
        "Not starting job because prior execution is running and concurrency policy is Forbid");
  }

  /// First those that go on are deleted, and have gone.
  private Step replace(List<Workload> going) {
    var left = going.stream().filter(job -> !job.meta().deleting()).toList();
    return left.isEmpty() ? until(new Settled()) : new Act(remove(left));
  }

  /// Whether its time to start has passed too.
  private boolean isMissed(Instant due) {
    var seconds = Json.number(cron.spec(), "startingDeadlineSeconds");
    return seconds.isPresent() && due.plus(Duration.ofSeconds(seconds.getAsLong())).isBefore(now);
  }

  /// It follows from the time, so that there is one Job of one time.
  private String name(Instant due) {
    return cron.meta().name() + "-" + due.getEpochSecond() / 60;
  }

  private Birth birth(ObjectKey key, Instant due) {
    var job = JsonNodeFactory.instance.objectNode();
    var template = cron.spec().path("jobTemplate");
    var meta = job.putObject("metadata");
    meta.put("namespace", key.namespace()).put("name", key.name());
    var labels = meta.putObject("labels");
    Json.texts(template.path("metadata").path("labels")).forEach(labels::put);
    ObjectNode annotations = meta.putObject("annotations");
    Json.texts(template.path("metadata").path("annotations")).forEach(annotations::put);
    annotations.put(SCHEDULED, due.toString());
    meta.putArray("ownerReferences").add(Owned.reference(cron));
    job.set("spec", template.path("spec").deepCopy());
    return new Birth(
        Resources.JOBS,
        job,
        Optional.of(
            Notice.normal(cron.ref(), Reasons.SUCCESSFUL_CREATE, "Created job " + key.name())),
        Optional.of(Notice.warning(cron.ref(), Reasons.FAILED_CREATE, "Error creating job: ")));
  }
}

package dev.berth.controller.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.PodState;
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
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The next step of one Job.
final class JobDecision {
  /// The pause after a first failure, which doubles with each further one, and how long it gets.
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  /// How many pods come in one go.
  private static final int MOST = 500;

  private final Workload job;
  private final Snapshot objects;
  private final Instant now;
  private final JobPods forms;
  private final List<Pod> pods;
  private final Tally tally;
  private final JobConditions conditions;

  JobDecision(Workload job, Snapshot objects, Instant now) {
    this.job = job;
    this.objects = objects;
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
    this.forms = new JobPods(job);
    this.pods = Owned.pods(objects, job);
    this.tally = new Tally(job, forms, pods);
    this.conditions = new JobConditions(job, this.now);
  }

  Step step() {
    var first = Owned.correction(objects, job, _ -> true).or(tally::step);
    if (first.isPresent()) return new Act(first.get());
    if (conditions.isFinished()) return finished();
    if (job.spec().path("suspend").asBoolean()) return suspended();
    if (!job.status().hasNonNull("startTime")) return new Act(write(started()));
    return ended().or(this::outdated).orElseGet(this::populated);
  }

  /// What has finished goes after its time.
  private Step finished() {
    var active = tally.active();
    if (!active.isEmpty()) return new Act(remove(active));
    var told = outdated();
    if (told.isPresent()) return told.get();
    var seconds = Json.number(job.spec(), "ttlSecondsAfterFinished");
    if (seconds.isEmpty()) return new Settled();
    var end = conditions.finishedAt().plus(Duration.ofSeconds(seconds.getAsLong()));
    return end.isAfter(now)
        ? new Settled().lookAgainAt(end)
        : new Act(new Remove(List.of(new Death(job.ref(), Optional.empty(), Optional.empty()))));
  }

  private Step suspended() {
    var active = tally.active();
    if (!active.isEmpty()) return new Act(remove(active));
    var status = counts();
    if (job.status().hasNonNull("startTime")) status.putNull("startTime");
    if (!conditions.is("Suspended"))
      status.set(
          "conditions", conditions.with("Suspended", "True", "JobSuspended", "Job suspended"));
    return status.isEmpty()
        ? new Settled()
        : new Act(write(status, Notice.normal(job.ref(), Reasons.SUSPENDED, "Job suspended")));
  }

  private ObjectNode started() {
    var status = counts().put("startTime", now.toString());
    if (conditions.is("Suspended"))
      status.set("conditions", conditions.with("Suspended", "False", "JobResumed", "Job resumed"));
    return status;
  }

  /// Failed or complete: first that is written down, as the pods that go for it count as failed;
  /// then they go, and then it is said.
  private Optional<Step> ended() {
    var target = conditions.target();
    if (target.isEmpty()) return target().map(it -> new Act(write(it)));
    var active = tally.active();
    if (!active.isEmpty()) return Optional.of(new Act(remove(active)));
    var why = target.get();
    var status = counts();
    status.set("conditions", conditions.with(why.outcome(), "True", why.reason(), why.message()));
    if (why.failed())
      return Optional.of(
          new Act(write(status, Notice.warning(job.ref(), why.reason(), why.message()))));
    status.put("completionTime", now.toString());
    return Optional.of(
        new Act(write(status, Notice.normal(job.ref(), Reasons.COMPLETED, "Job completed"))));
  }

  private Optional<ObjectNode> target() {
    var status = counts();
    var failure = failure();
    if (failure.isPresent())
      status.set(
          "conditions",
          conditions.with(
              JobConditions.FAILURE, "True", failure.get().reason(), failure.get().message()));
    else if (isComplete())
      status.set(
          "conditions",
          conditions.with(
              JobConditions.SUCCESS,
              "True",
              "CompletionsReached",
              "Reached expected number of succeeded pods"));
    else return Optional.empty();
    return Optional.of(status);
  }

  private Optional<Notice> failure() {
    if (tally.failed() + restarts() > job.spec().path("backoffLimit").asLong(6))
      return Optional.of(
          Notice.warning(
              job.ref(),
              Reasons.BACKOFF_LIMIT_EXCEEDED,
              "Job has reached the specified backoff limit"));
    return deadline()
        .filter(at -> !at.isAfter(now))
        .map(_ ->
            Notice.warning(
                job.ref(),
                Reasons.DEADLINE_EXCEEDED,
                "Job was active longer than specified deadline"));
  }

  /// What starts again in its pod fails as often as it does so.
  private long restarts() {
    if (!Json.text(job.template().path("spec"), "restartPolicy").equals("OnFailure")) return 0;
    return tally.active().stream()
        .flatMap(pod ->
            Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(field -> pod.status().path(field).valueStream()))
        .mapToLong(container -> container.path("restartCount").asLong())
        .sum();
  }

  private Optional<Instant> deadline() {
    var seconds = Json.number(job.spec(), "activeDeadlineSeconds");
    if (seconds.isEmpty()) return Optional.empty();
    return Json.instant(job.status(), "startTime")
        .map(start -> start.plus(Duration.ofSeconds(seconds.getAsLong())));
  }

  private OptionalLong completions() {
    return Json.number(job.spec(), "completions");
  }

  private boolean isComplete() {
    if (completions().isPresent()) return tally.succeeded() >= completions().getAsLong();
    return tally.succeeded() > 0 && tally.active().isEmpty();
  }

  private Optional<Step> outdated() {
    var status = counts();
    return status.isEmpty() ? Optional.empty() : Optional.of(new Act(write(status)));
  }

  /// How many go on, as far as the status says otherwise.
  private ObjectNode counts() {
    var status = JsonNodeFactory.instance.objectNode();
    var active = tally.active();
    put(status, "active", active.size());
    put(status, "ready", active.stream().filter(PodState::isReady).count());
    put(status, "terminating", terminating());
    return status;
  }

  private long terminating() {
    return pods.stream().filter(pod -> pod.meta().deleting() && !pod.finished()).count();
  }

  private void put(ObjectNode status, String field, long value) {
    if (job.status().path(field).asLong() != value) status.put(field, value);
  }

  /// As many pods as are to go on at once.
  private Step populated() {
    var active = tally.active();
    long wanted = wanted(active.size());
    if (active.size() > wanted)
      return new Act(
          remove(
              active.stream()
                  .sorted(
                      Comparator.comparing(PodState::isReady)
                          .thenComparing(
                              (Pod pod) -> pod.meta().created(), Comparator.reverseOrder()))
                  .limit(active.size() - wanted)
                  .toList()));
    var due = Stream.of(deadline(), pause()).flatMap(Optional::stream).filter(now::isBefore);
    var again = due.min(Comparator.naturalOrder());
    boolean rests = pause().filter(now::isBefore).isPresent();
    if (active.size() == wanted || rests)
      return again.map(at -> new Settled().lookAgainAt(at)).orElseGet(Settled::new);
    return new Act(new Make(births(active, Math.min(MOST, wanted - active.size()))));
  }

  private long wanted(int active) {
    long parallel = job.spec().path("parallelism").asLong(1);
    if (Json.text(job.spec(), "podReplacementPolicy").equals("Failed"))
      parallel = Math.max(0, parallel - terminating());
    if (completions().isEmpty())
      return tally.succeeded() > 0 ? Math.min(active, parallel) : parallel;
    return Math.min(parallel, completions().getAsLong() - tally.succeeded());
  }

  /// Until when nothing new is tried after failures.
  private Optional<Instant> pause() {
    int failures = tally.failed();
    if (failures == 0) return Optional.empty();
    var last =
        pods.stream().filter(Tally::hasFailed).map(JobDecision::end).max(Comparator.naturalOrder());
    long factor = 1L << Math.min(failures - 1, 10);
    var pause = PAUSE.multipliedBy(factor);
    return last.map(at -> at.plus(pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause));
  }

  private static Instant end(Pod pod) {
    return pod.status()
        .path("containerStatuses")
        .valueStream()
        .flatMap(it -> Json.instant(it.path("state").path("terminated"), "finishedAt").stream())
        .max(Comparator.naturalOrder())
        .or(() -> pod.meta().deleted())
        .orElse(pod.meta().created());
  }

  /// Their names follow from the pods that there are, so that none is made twice.
  private List<Birth> births(List<Pod> active, long count) {
    var seed =
        job.meta().uid()
            + pods.stream().map(pod -> pod.meta().uid()).sorted().collect(Collectors.joining("/"))
            + "/"
            + tally.failed();
    var births = new ArrayList<Birth>();
    if (!forms.isIndexed()) {
      for (int i = 0; i < count; i++) births.add(forms.birth(OptionalInt.empty(), seed + "/" + i));
      return births;
    }
    var taken = tally.indexes();
    active.forEach(pod -> forms.index(pod).ifPresent(taken::add));
    for (int index = 0; births.size() < count && index < completions().orElse(0); index++)
      if (!taken.contains(index)) births.add(forms.birth(OptionalInt.of(index), seed));
    return births;
  }

  private WorkloadEffect remove(List<Pod> some) {
    return new Remove(some.stream().map(forms::death).toList());
  }

  private WorkloadEffect write(ObjectNode status) {
    return write(status, Optional.empty());
  }

  private WorkloadEffect write(ObjectNode status, Notice notice) {
    return write(status, Optional.of(notice));
  }

  private WorkloadEffect write(ObjectNode status, Optional<Notice> notice) {
    return new Change(
        job.resource(),
        Revision.of(job.meta()),
        JsonNodeFactory.instance.objectNode().set("status", status),
        Part.STATUS,
        notice);
  }
}

package dev.berth.controller.cronjob;

import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what a CronJob still has to do.
record CronKeeper() implements Decider<ObjectKey, CronKeeper.View, WorkloadEffect> {
  /// Jobs by the uid of what manages them.
  private static final Index<Workload> JOBS =
      new Index<>(Workload.JOB, "controller", job -> Owned.owner(job.meta()));

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "cronjob";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.CRON_JOB, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Workload.JOB,
            (change, _) ->
                Stream.of(change.before(), change.after())
                    .flatMap(Optional::stream)
                    .flatMap(CronKeeper::keeper)
                    .distinct()));
  }

  private static Stream<ObjectKey> keeper(Workload job) {
    return job.meta().controllerOwner().stream()
        .filter(owner -> Owned.is(owner, Workload.CRON_JOB))
        .map(owner -> ObjectKey.of(job.meta().namespace(), owner.name()));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.CRON_JOB, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var cron) when cron.meta().deleting() -> new Settled();
      case Found<Workload>(var cron) -> step(view, cron);
    };
  }

  private static Step step(View view, Workload cron) {
    Timetable times;
    try {
      times =
          Timetable.of(
              Json.text(cron.spec(), "schedule"),
              Json.optionalText(cron.spec(), "timeZone")
                  .<ZoneId>map(ZoneId::of)
                  .orElse(ZoneOffset.UTC));
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      return Settled.but(
          Notice.warning(
              cron.ref(),
              Reasons.UNPARSEABLE_SCHEDULE,
              "unparseable schedule: " + unreadable.getMessage()));
    }
    var jobs = List.copyOf(view.objects.by(JOBS, cron.meta().uid()));
    return new CronDecision(cron, jobs, times, view.objects, view.now).step();
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  /// It makes nobody wait.
  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.CRON_JOB);
  }
}

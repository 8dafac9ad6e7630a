package dev.berth.controller.job;

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
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what a Job still has to do.
record JobKeeper() implements Decider<ObjectKey, JobKeeper.View, WorkloadEffect> {
  private static final Index<Workload> JOBS =
      new Index<>(Workload.JOB, "namespace", job -> List.of(job.meta().namespace()));

  private static final List<String> BEYOND =
      List.of("podFailurePolicy", "successPolicy", "backoffLimitPerIndex");

  private static final String OURS = "kubernetes.io/job-controller";

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "job";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.JOB, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Owned.keepers(
                    Workload.JOB,
                    JOBS,
                    objects,
                    Stream.of(change.before(), change.after())
                        .flatMap(Optional::stream)
                        .map(pod -> pod.meta()))));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.JOB, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var job) when job.meta().deleting() || isAnothers(job) -> new Settled();
      case Found<Workload>(var job) ->
          beyond(job)
              .map(field -> unsupported(job, field))
              .orElseGet(() -> new JobDecision(job, view.objects, view.now).step());
    };
  }

  /// Whether a Job may take on a pod that nobody has.
  static boolean takers(Snapshot objects, Pod pod) {
    return objects.by(JOBS, pod.meta().namespace()).stream()
        .anyMatch(job -> !job.meta().deleting() && job.selector().matches(pod.meta().labels()));
  }

  static boolean isAnothers(Workload job) {
    return !Json.optionalText(job.spec(), "managedBy").orElse(OURS).equals(OURS);
  }

  private static Optional<String> beyond(Workload job) {
    return BEYOND.stream().filter(field -> job.spec().hasNonNull(field)).findFirst();
  }

  /// What it cannot do as its author means it is not done by halves.
  private static Step unsupported(Workload job, String field) {
    return Settled.but(
        Notice.warning(
            job.ref(),
            Reasons.UNSUPPORTED,
            "spec.%s is not supported here: no pod is made; take it out".formatted(field)));
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.JOB);
  }
}

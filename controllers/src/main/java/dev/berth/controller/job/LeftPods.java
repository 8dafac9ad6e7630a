package dev.berth.controller.job;

import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides which pods no Job counts any more: its own is gone or going, or was taken off it. With
/// the finalizer that the count is made by they would never go.
record LeftPods() implements Decider<ObjectKey, Facts, ReleasePod> {
  @Override
  public String name() {
    return "job-pods";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.POD,
            (change, _) ->
                change.after().filter(Tally::isTracked).map(pod -> pod.meta().key()).stream()),
        Trigger.on(Workload.JOB, LeftPods::left));
  }

  private static Stream<ObjectKey> left(Change<Workload> change, Snapshot objects) {
    boolean stays = change.after().filter(job -> !job.meta().deleting()).isPresent();
    return stays
        ? Stream.empty()
        : Stream.concat(
                objects.by(Owned.PODS, change.latest().meta().uid()).stream(),
                Owned.loose(objects, change.latest()).stream()) // it might have taken them on
            .filter(Tally::isTracked)
            .map(pod -> pod.meta().key());
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts objects, ObjectKey key) {
    return objects
        .get(Kinds.POD, key)
        .found()
        .filter(Tally::isTracked)
        .flatMap(pod -> release(objects, pod))
        .<Step>map(Act::new)
        .orElseGet(Settled::new);
  }

  private static Optional<ReleasePod> release(Snapshot objects, Pod pod) {
    var owner = pod.meta().controllerOwner();
    if (owner.isEmpty())
      return JobKeeper.takers(objects, pod)
          ? Optional.empty()
          : Optional.of(new ReleasePod(Revision.of(pod.meta()), Optional.empty()));
    if (!Owned.is(owner.get(), Workload.JOB)) return Optional.empty();
    var named = ObjectKey.of(pod.meta().namespace(), owner.get().name());
    var job =
        objects
            .get(Workload.JOB, named)
            .found()
            .filter(it -> it.meta().uid().equals(owner.get().uid()));
    boolean counts =
        job.filter(it -> !it.meta().deleting() || JobKeeper.isAnothers(it)).isPresent();
    return counts
        ? Optional.empty()
        : Optional.of(
            new ReleasePod(
                Revision.of(pod.meta()),
                Optional.of(new Ref(Workload.JOB.resource(), named, owner.get().uid()))));
  }

  @Override
  public Class<ReleasePod> effectType() {
    return ReleasePod.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.POD);
  }
}

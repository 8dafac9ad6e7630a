package dev.berth.controller.deployment;

import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides how a Deployment gets from the pods that it has to those that it wants.
record DeploymentKeeper() implements Decider<ObjectKey, DeploymentKeeper.View, WorkloadEffect> {
  private static final Index<Workload> DEPLOYMENTS =
      new Index<>(Workload.DEPLOYMENT, "namespace", it -> List.of(it.meta().namespace()));

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "deployment";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.DEPLOYMENT, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Workload.REPLICA_SET,
            (change, objects) ->
                Owned.keepers(
                    Workload.DEPLOYMENT,
                    DEPLOYMENTS,
                    objects,
                    Stream.of(change.before(), change.after())
                        .flatMap(Optional::stream)
                        .map(set -> set.meta()))),
        Trigger.on(Kinds.POD, DeploymentKeeper::ofLastPod));
  }

  /// What recreates its pods waits until the last of the old ones is gone.
  private static Stream<ObjectKey> ofLastPod(Change<Pod> change, Snapshot objects) {
    if (change.after().filter(pod -> !pod.finished()).isPresent()) return Stream.empty();
    var pod = change.latest().meta();
    return pod.controllerOwner().stream()
        .filter(owner -> Owned.is(owner, Workload.REPLICA_SET))
        .flatMap(owner ->
            objects
                .get(Workload.REPLICA_SET, ObjectKey.of(pod.namespace(), owner.name()))
                .found()
                .stream())
        .flatMap(set -> set.meta().controllerOwner().stream())
        .filter(owner -> Owned.is(owner, Workload.DEPLOYMENT))
        .map(owner -> ObjectKey.of(pod.namespace(), owner.name()));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.DEPLOYMENT, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var it) when it.meta().deleting() -> new Settled();
      case Found<Workload>(var it) -> new RollOut(it, view.objects, view.now).step();
    };
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.DEPLOYMENT);
  }
}

package dev.berth.controller.statefulset;

import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.StateRecord;
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
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what a StatefulSet lacks, or has too much of.
record SetKeeper() implements Decider<ObjectKey, SetKeeper.View, WorkloadEffect> {
  private static final Index<Workload> SETS =
      new Index<>(Workload.STATEFUL_SET, "namespace", set -> List.of(set.meta().namespace()));

  /// Sets by what the names of their claims begin with, `namespace/template-set`.
  private static final Index<Workload> SETS_BY_CLAIMS =
      new Index<>(Workload.STATEFUL_SET, "claims", Identity::claimStems);

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "statefulset";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.STATEFUL_SET, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Owned.keepers(
                    Workload.STATEFUL_SET,
                    SETS,
                    objects,
                    Stream.of(change.before(), change.after())
                        .flatMap(Optional::stream)
                        .map(pod -> pod.meta()))),
        Trigger.on(Kinds.CLAIM, SetKeeper::ofClaim),
        Trigger.on(
            StateRecord.KIND,
            (change, _) ->
                change.latest().meta().controllerOwner().stream()
                    .filter(owner -> Owned.is(owner, Workload.STATEFUL_SET))
                    .map(owner -> ObjectKey.of(change.latest().meta().namespace(), owner.name()))));
  }

  private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    return Identity.stem(change.latest().meta().key()).stream()
        .flatMap(stem -> objects.by(SETS_BY_CLAIMS, stem).stream())
        .map(set -> set.meta().key());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.STATEFUL_SET, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var set) when set.meta().deleting() -> new Settled();
      case Found<Workload>(var set) -> SetDecision.of(set, view.objects, view.now).step();
    };
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.STATEFUL_SET);
  }
}

package dev.berth.controller.daemonset;

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
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides on which nodes a DaemonSet lacks a pod, or has one too many.
record DaemonKeeper() implements Decider<ObjectKey, DaemonKeeper.View, WorkloadEffect> {
  private static final Index<Workload> SETS =
      new Index<>(Workload.DAEMON_SET, "namespace", set -> List.of(set.meta().namespace()));

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "daemonset";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.DAEMON_SET, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Owned.keepers(
                    Workload.DAEMON_SET,
                    SETS,
                    objects,
                    Stream.of(change.before(), change.after())
                        .flatMap(Optional::stream)
                        .map(pod -> pod.meta()))),
        Trigger.on(
            Kinds.NODE,
            (change, objects) ->
                isElsewhere(change)
                    ? objects.all(Workload.DAEMON_SET).stream().map(set -> set.meta().key())
                    : Stream.empty()),
        Trigger.on(
            StateRecord.KIND,
            (change, _) ->
                change.latest().meta().controllerOwner().stream()
                    .filter(owner -> Owned.is(owner, Workload.DAEMON_SET))
                    .map(owner -> ObjectKey.of(change.latest().meta().namespace(), owner.name()))));
  }

  /// Whether pods may fit on the node that did not, or the other way round: what it tells of its
  /// health every few seconds is no news.
  private static boolean isElsewhere(Change<Node> change) {
    if (change.before().isEmpty() || change.after().isEmpty()) return true;
    var before = change.before().get();
    var after = change.after().get();
    return !before.meta().labels().equals(after.meta().labels())
        || !before.taints().equals(after.taints())
        || before.meta().deleting() != after.meta().deleting();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.DAEMON_SET, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var set) when set.meta().deleting() -> new Settled();
      case Found<Workload>(var set) -> new DaemonDecision(set, view.objects, view.now).step();
    };
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.DAEMON_SET);
  }
}

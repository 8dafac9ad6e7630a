package dev.berth.controller.eviction;

import dev.berth.controller.eviction.EvictionEffect.Await;
import dev.berth.controller.eviction.EvictionEffect.Cancel;
import dev.berth.controller.eviction.EvictionEffect.Evict;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides which pod has to leave its node, and when (PGC-02).
record PodEvictor() implements Decider<ObjectKey, PodEvictor.View, EvictionEffect> {
  private static final String NO_EXECUTE = "NoExecute";

  record View(Snapshot objects, Pending pending, Instant now) {}

  @Override
  public String name() {
    return "taint-eviction";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.NODE,
            (change, objects) ->
                taints(change.before()).equals(taints(change.after()))
                    ? Stream.empty()
                    : objects.by(Indexes.PODS_BY_NODE, change.latest().meta().name()).stream()
                        .map(pod -> pod.meta().key())),
        Trigger.none(Pending.TOPIC));
  }

  private static List<Taint> taints(Optional<Node> node) {
    return node.stream()
        .flatMap(it -> it.taints().stream())
        .filter(taint -> taint.effect().equals(NO_EXECUTE))
        .toList();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Pending.TOPIC), now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    var clock = view.pending.of(key);
    return switch (view.objects.get(Kinds.POD, key)) {
      case Missing<Pod>(var ref) -> stay(clock, ref);
      case Found<Pod>(var pod) when pod.meta().deleting() || pod.nodeName().isEmpty() ->
          new Settled();
      case Found<Pod>(var pod) -> {
        var node = view.objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName()));
        var taints = taints(node.found());
        yield taints.isEmpty() ? stay(clock, pod.ref()) : leave(view, pod, taints);
      }
    };
  }

  private static Step stay(Optional<Pending.Clock> clock, Ref pod) {
    return clock.isPresent() ? new Act(new Cancel(pod)) : new Settled();
  }

  private static Step leave(View view, Pod pod, List<Taint> taints) {
    var patience = Patience.of(pod, taints);
    if (patience.untolerated().isPresent()) return new Act(new Evict(pod.ref(), view.now));
    var clock = view.pending.of(pod.meta().key()).filter(it -> it.pod().equals(pod.meta().uid()));
    if (patience.lasts().isEmpty()) return stay(clock, pod.ref());
    if (clock.isEmpty()) return new Act(new Await(pod.ref(), began(pod, taints, view.now)));
    var until = clock.get().since().plus(patience.lasts().get());
    return view.now.isBefore(until)
        ? new Settled().lookAgainAt(until)
        : new Act(new Evict(pod.ref(), view.now));
  }

  /// When the pod has to leave its node, by what the objects say; empty: it may stay.
  static Optional<Instant> leaves(Pod pod, Node node, Instant now) {
    var taints = taints(Optional.of(node));
    if (taints.isEmpty()) return Optional.empty();
    var patience = Patience.of(pod, taints);
    return patience.untolerated().isPresent()
        ? Optional.of(now)
        : patience.lasts().map(began(pod, taints, now)::plus);
  }

  /// When the first of the taints was added, or the pod, if it came later; now, if none says.
  private static Instant began(Pod pod, List<Taint> taints, Instant now) {
    return taints.stream()
        .flatMap(taint -> taint.added().stream())
        .min(Instant::compareTo)
        .map(added -> added.isBefore(pod.meta().created()) ? pod.meta().created() : added)
        .filter(added -> added.isBefore(now))
        .orElse(now);
  }

  @Override
  public Class<EvictionEffect> effectType() {
    return EvictionEffect.class;
  }

  /// It makes nobody wait: explain tells the time of [TaintEviction#leaves].
  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}

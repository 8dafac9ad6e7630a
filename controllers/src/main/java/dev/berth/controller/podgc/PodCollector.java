package dev.berth.controller.podgc;

import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Meet;
import dev.berth.controller.podgc.GarbageEffect.Miss;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides which pod no agent can end any more (PGC-01).
record PodCollector() implements Decider<ObjectKey, PodCollector.View, GarbageEffect> {
  /// How long a node is missing before its pods are given up: it may only not be known yet.
  static final Duration QUARANTINE = Duration.ofSeconds(40);

  /// How long it takes all in all, a look every now and then included (XPL-30).
  private static final Duration USUAL = Duration.ofMinutes(1);

  record View(Snapshot objects, Absences absences, Instant now) {}

  @Override
  public String name() {
    return "pod-garbage-collector";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.NODE,
            (change, objects) -> isNews(change) ? on(change.latest(), objects) : Stream.empty()),
        Trigger.none(Absences.TOPIC));
  }

  /// Whether the node's pods may have to go by it, or may stay.
  private static boolean isNews(Change<Node> change) {
    return !change.before().map(PodCollector::lost).equals(change.after().map(PodCollector::lost));
  }

  private static Stream<ObjectKey> on(Node node, Snapshot objects) {
    return objects.by(Indexes.PODS_BY_NODE, node.meta().name()).stream()
        .map(pod -> pod.meta().key());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Absences.TOPIC), now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Kinds.POD, key)) {
      case Missing<Pod> _ -> new Settled();
      case Found<Pod>(var pod) when pod.nodeName().isEmpty() -> unplaced(pod, view.now);
      case Found<Pod>(var pod) ->
          switch (view.objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName()))) {
            case Missing<Node> _ -> orphaned(view, pod);
            case Found<Node> _ when view.absences.of(pod.nodeName()).isPresent() ->
                new Act(new Meet(pod.nodeName()));
            case Found<Node>(var node) ->
                pod.meta().deleting() && lost(node)
                    ? collect(pod, Why.OUT_OF_SERVICE, view.now) // AD-55
                    : new Settled();
          };
    };
  }

  private static Step unplaced(Pod pod, Instant now) {
    return pod.meta().deleting() ? collect(pod, Why.UNSCHEDULED, now) : new Settled();
  }

  private static Step orphaned(View view, Pod pod) {
    Optional<Instant> since = view.absences.of(pod.nodeName());
    if (since.isEmpty())
      return new Act(new Miss(pod.nodeName(), view.now)).then(untilGivenUp(pod, Optional.empty()));
    var until = since.get().plus(QUARANTINE);
    return view.now.isBefore(until)
        ? untilGivenUp(pod, since).lookAgainAt(until)
        : collect(pod, Why.ORPHANED, view.now);
  }

  // T06
  private static Wait untilGivenUp(Pod pod, Optional<Instant> missing) {
    return Wait.on(Kinds.NODE.ref(ObjectKey.cluster(pod.nodeName())))
        .since(missing.or(() -> pod.meta().deleted()).orElse(pod.meta().created()))
        .until(
            "node %s is there again, or has been missing for %d s: then the pod is removed"
                .formatted(pod.nodeName(), QUARANTINE.toSeconds()))
        .ifLate(USUAL, "look whether the pod garbage collector runs, and at its log");
  }

  /// One that is only kept by its finalizers has been removed already.
  private static Step collect(Pod pod, Why why, Instant now) {
    return pod.shutDown() ? new Settled() : new Act(Collect.of(pod, why, now));
  }

  /// Whether somebody says that the machine is off, and nothing says otherwise.
  static boolean lost(Node node) {
    return !node.ready() && node.hasTaint(Labels.OUT_OF_SERVICE_TAINT);
  }

  @Override
  public Class<GarbageEffect> effectType() {
    return GarbageEffect.class;
  }

  /// Pods that are to go and that no agent sees to: what the others on lost nodes wait for, their
  /// agents say.
  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject
        .as(Kinds.POD)
        .filter(key ->
            objects.get(Kinds.POD, key).found().filter(pod -> pod.meta().deleting()).isPresent());
  }
}

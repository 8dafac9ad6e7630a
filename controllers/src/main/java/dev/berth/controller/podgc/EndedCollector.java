package dev.berth.controller.podgc;

import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Decides which of the pods that have ended is one too many (PGC-01).
///
/// @param threshold how many are kept; 0 or less: all
record EndedCollector(int threshold)
    implements Decider<EndedCollector.Everybody, EndedCollector.View, GarbageEffect> {
  /// All that have ended are one matter.
  enum Everybody {
    ENDED
  }

  record View(Snapshot objects, Instant now) {}

  /// Those that only finalizers keep are removed already.
  private static final Index<Pod> ENDED =
      new Index<>(Kinds.POD, "has ended", pod -> isGarbage(pod) ? List.of("ended") : List.of());

  /// Pods that were evicted go first: they were ended for want of room, not by themselves.
  private static final Comparator<Pod> OLDEST =
      Comparator.<Pod, Boolean>comparing(pod -> !isEvicted(pod))
          .thenComparing(pod -> pod.meta().created())
          .thenComparing(pod -> pod.meta().key());

  @Override
  public String name() {
    return "pod-garbage-collector-ended";
  }

  @Override
  public List<Trigger<?, Everybody>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.POD,
            (change, _) ->
                change.after().filter(EndedCollector::isGarbage).isPresent()
                        && change.before().filter(EndedCollector::isGarbage).isEmpty()
                    ? Stream.of(Everybody.ENDED)
                    : Stream.empty()));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, Everybody all) {
    if (threshold <= 0) return new Settled();
    var ended = view.objects.by(ENDED, "ended");
    if (ended.size() <= threshold) return new Settled();
    return new Act(Collect.of(ended.stream().min(OLDEST).orElseThrow(), Why.ENDED, view.now));
  }

  private static boolean isGarbage(Pod pod) {
    return pod.finished() && !pod.shutDown();
  }

  private static boolean isEvicted(Pod pod) {
    return pod.phase() == Pod.Phase.FAILED && Json.text(pod.status(), "reason").equals("Evicted");
  }

  @Override
  public Class<GarbageEffect> effectType() {
    return GarbageEffect.class;
  }

  @Override
  public Stream<Everybody> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}

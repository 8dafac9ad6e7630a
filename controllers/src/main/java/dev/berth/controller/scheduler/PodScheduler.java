package dev.berth.controller.scheduler;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Places pods.
record PodScheduler(SchedulingDecision decision)
    implements Decider<ObjectKey, View, SchedulingEffect> {
  @Override
  public String name() {
    return "scheduler";
  }

  /// SCHED-40.
  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Stream.concat(
                    Stream.of(change.latest().meta().key()), Unblocked.byPod(change, objects))),
        Trigger.on(Kinds.CLAIM, Unblocked::byClaim),
        Trigger.on(Kinds.VOLUME, Unblocked::byVolume),
        Trigger.on(Kinds.NODE, Unblocked::byNode),
        Trigger.on(Kinds.STORAGE_CLASS, Unblocked::byClass),
        Trigger.on(Kinds.CSI_NODE, Unblocked::byCsiNode),
        Trigger.on(Kinds.CSI_DRIVER, Unblocked::byDriver),
        Trigger.on(Kinds.STORAGE_CAPACITY, Unblocked::byCapacity),
        Trigger.on(Kinds.ATTACHMENT, Unblocked::byAttachment),
        Trigger.on(Assumed.TOPIC, Unblocked::byAssumption));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now, facts.of(Assumed.TOPIC).unshownBy(facts));
  }

  @Override
  public Step decide(View view, ObjectKey pod) {
    return decision.decide(view, pod);
  }

  @Override
  public Class<SchedulingEffect> effectType() {
    return SchedulingEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.POD);
  }
}

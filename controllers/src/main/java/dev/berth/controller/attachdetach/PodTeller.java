package dev.berth.controller.attachdetach;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Tells placed pods which of their volumes is not attached; acts on nothing.
record PodTeller(PodDecision decision) implements Decider<ObjectKey, View, NoEffect> {
  @Override
  public String name() {
    return "attachdetach-pods";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.CLAIM, (change, objects) -> Concerned.pods(change, objects)),
        Trigger.on(
            Kinds.VOLUME,
            (change, objects) -> Concerned.users(Concerned.byVolume(change, objects), objects)),
        Trigger.on(
            Kinds.ATTACHMENT,
            (change, objects) -> Concerned.users(Concerned.byAttachment(change, objects), objects)),
        Trigger.on(
            Kinds.NODE,
            (change, objects) -> Concerned.users(Concerned.byNode(change, objects), objects)),
        Trigger.on(
            Kinds.CSI_DRIVER,
            (change, objects) -> Concerned.users(Concerned.byDriver(change, objects), objects)));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey pod) {
    return decision.decide(view, pod);
  }

  @Override
  public Class<NoEffect> effectType() {
    return NoEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.POD);
  }
}

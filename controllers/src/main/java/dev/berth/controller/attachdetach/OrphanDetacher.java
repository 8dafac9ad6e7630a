package dev.berth.controller.attachdetach;

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

/// Takes attachments away whose volumes are gone.
record OrphanDetacher(OrphanDecision decision)
    implements Decider<ObjectKey, View, AttachDetachEffect> {
  @Override
  public String name() {
    return "attachdetach-orphans";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.ATTACHMENT, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.VOLUME, Concerned::orphans),
        Trigger.on(Kinds.NODE, Concerned::listedBy));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey attachment) {
    return decision.decide(view, attachment);
  }

  @Override
  public Class<AttachDetachEffect> effectType() {
    return AttachDetachEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.ATTACHMENT);
  }
}

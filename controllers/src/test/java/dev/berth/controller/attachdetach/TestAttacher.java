package dev.berth.controller.attachdetach;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The least that passes for an attacher.
///
/// @param detaching sees each attachment before its volume is taken off the node
record TestAttacher(Api api, Consumer<Attachment> detaching)
    implements Decider<ObjectKey, Facts, Effect>, Effects<Effect> {
  private static final String FINALIZER = "external-attacher/disk-berth-dev";

  private record Hold(Attachment attachment) implements Effect {}

  private record Attach(Attachment attachment) implements Effect {}

  private record Detach(Attachment attachment) implements Effect {}

  @Override
  public String name() {
    return "test-attacher";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.ATTACHMENT, (change, _) -> Stream.of(change.latest().meta().key())));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Class<Effect> effectType() {
    return Effect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.ATTACHMENT);
  }

  @Override
  public Step decide(Facts objects, ObjectKey key) {
    return objects
        .get(Kinds.ATTACHMENT, key)
        .found()
        .map(TestAttacher::decide)
        .orElseGet(Settled::new);
  }

  private static Step decide(Attachment attachment) {
    boolean held = attachment.meta().hasFinalizer(FINALIZER);
    if (attachment.meta().deleting()) return held ? new Act(new Detach(attachment)) : new Settled();
    if (!held) return new Act(new Hold(attachment));
    return attachment.attached() ? new Settled() : new Act(new Attach(attachment));
  }

  @Override
  public void carryOut(Effect effect) {
    switch (effect) {
      case Hold(var it) ->
          patch(it, new JsonPatch().testSame(it.meta()).addFinalizer(it.meta(), FINALIZER));
      case Attach(var it) ->
          api.patchStatus(
              Resources.ATTACHMENTS,
              it.meta().key(),
              Revision.of(it.meta()).patch(body -> body.putObject("status").put("attached", true)));
      case Detach(var it) -> {
        detaching.accept(it);
        patch(it, new JsonPatch().testSame(it.meta()).removeFinalizer(it.meta(), FINALIZER));
      }
      case Effect other -> throw new IllegalStateException("not ours: " + other);
    }
  }

  private void patch(Attachment it, JsonPatch patch) {
    api.patch(Resources.ATTACHMENTS, it.meta().key(), patch.patch());
  }
}

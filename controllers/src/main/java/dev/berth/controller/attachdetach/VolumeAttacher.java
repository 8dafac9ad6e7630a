package dev.berth.controller.attachdetach;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Attaches and detaches.
record VolumeAttacher(AttachmentDecision decision)
    implements Decider<Matter, View, AttachDetachEffect> {
  @Override
  public String name() {
    return "attachdetach";
  }

  @Override
  public List<Trigger<?, Matter>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, everywhere(Concerned::byPod)),
        Trigger.on(Kinds.CLAIM, everywhere(Concerned::byClaim)),
        Trigger.on(Kinds.VOLUME, everywhere(Concerned::byVolume)),
        Trigger.on(Kinds.ATTACHMENT, everywhere(Concerned::byAttachment)),
        Trigger.on(Kinds.NODE, everywhere(Concerned::byNode)),
        Trigger.on(Kinds.CSI_DRIVER, everywhere(Concerned::byDriver)));
  }

  private static <T extends KubeObject> BiFunction<Change<T>, Facts, Stream<Matter>> everywhere(
      BiFunction<Change<T>, Snapshot, Stream<VolumeName>> concerned) {
    return (change, facts) -> concerned.apply(change, facts).map(Matter.Everywhere::new);
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, Matter matter) {
    return switch (matter) {
      case Matter.Everywhere(var volume) -> decision.decide(view, volume);
      case Matter.OnNode(var volume, var node) ->
          decision.decide(view, view.pair(volume, node), view.pairs(volume));
    };
  }

  @Override
  public Class<AttachDetachEffect> effectType() {
    return AttachDetachEffect.class;
  }

  @Override
  public Stream<Matter> about(Ref subject, Snapshot objects) {
    return Pairs.of(subject, objects);
  }
}

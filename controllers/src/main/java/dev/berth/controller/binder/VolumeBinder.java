package dev.berth.controller.binder;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Offers, releases and hands over for reclaiming what no claim holds; keyed by volume.
record VolumeBinder(VolumeDecision decision) implements Decider<ObjectKey, View, BinderEffect> {
  @Override
  public String name() {
    return "persistentvolume-binder-volumes";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.VOLUME, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.CLAIM, VolumeBinder::ofClaim));
  }

  private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    return objects.by(Indexes.VOLUMES_BY_CLAIM, change.latest().meta().key().toString()).stream()
        .map(volume -> volume.meta().key());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey volume) {
    return decision.decide(view, volume.name());
  }

  @Override
  public Class<BinderEffect> effectType() {
    return BinderEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.VOLUME);
  }
}

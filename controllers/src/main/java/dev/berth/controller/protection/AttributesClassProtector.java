package dev.berth.controller.protection;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Keeps VolumeAttributesClasses that claims and volumes name.
record AttributesClassProtector(AttributesClassProtection decision)
    implements Decider<ObjectKey, View, ProtectionEffect> {
  @Override
  public String name() {
    return "vac-protection";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.ATTRIBUTES_CLASS, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.CLAIM,
            (change, objects) ->
                deleting(
                    change.before().stream().flatMap(AttributesClassProtector::named), objects)),
        Trigger.on(
            Kinds.VOLUME,
            (change, objects) ->
                deleting(change.before().stream().map(Volume::attributesClassName), objects)));
  }

  private static Stream<String> named(Claim claim) {
    return claim.attributesClasses().stream();
  }

  /// Who names a class no longer matters only to those that are being deleted.
  private static Stream<ObjectKey> deleting(Stream<String> names, Snapshot objects) {
    return names
        .flatMap(
            name -> objects.get(Kinds.ATTRIBUTES_CLASS, ObjectKey.cluster(name)).found().stream())
        .filter(it -> it.meta().deleting())
        .map(it -> it.meta().key());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey attributesClass) {
    return decision.decide(view, attributesClass);
  }

  @Override
  public Class<ProtectionEffect> effectType() {
    return ProtectionEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.ATTRIBUTES_CLASS);
  }
}

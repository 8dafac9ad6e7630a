package dev.berth.controller;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The least that passes for the provisioner of `disk.berth.dev`: makes `pvc-<uid>` for each claim
/// that asks for it, and deletes what was released.
public record TestProvisioner(Api api)
    implements Decider<ObjectKey, Facts, Effect>, Effects<Effect> {
  static final String DRIVER = "disk.berth.dev";

  private record Make(Claim claim) implements Effect {}

  private record Remove(Volume volume) implements Effect {}

  @Override
  public String name() {
    return "test-provisioner";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.CLAIM, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.VOLUME, (change, _) -> Stream.of(change.latest().meta().key())));
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
    return subject.as(Kinds.CLAIM);
  }

  @Override
  public Step decide(Facts objects, ObjectKey key) {
    return key.namespace().isEmpty() ? remove(objects, key) : make(objects, key);
  }

  private static Step make(Snapshot objects, ObjectKey key) {
    return objects
        .get(Kinds.CLAIM, key)
        .found()
        .filter(claim -> claim.volumeName().isEmpty())
        .filter(claim ->
            claim
                .meta()
                .annotation(Annotations.STORAGE_PROVISIONER)
                .filter(DRIVER::equals)
                .isPresent())
        .filter(claim -> objects.get(Kinds.VOLUME, volume(claim)).found().isEmpty())
        .<Step>map(claim -> new Act(new Make(claim)))
        .orElseGet(Settled::new);
  }

  private static Step remove(Snapshot objects, ObjectKey key) {
    return objects
        .get(Kinds.VOLUME, key)
        .found()
        .filter(volume -> volume.phase() == Volume.Phase.RELEASED && !volume.meta().deleting())
        .filter(volume -> volume.reclaimPolicy() == Volume.ReclaimPolicy.DELETE)
        .<Step>map(volume -> new Act(new Remove(volume)))
        .orElseGet(Settled::new);
  }

  /// Others would not serve it.
  private static String modes(Claim claim) {
    return claim.accessModes().stream().map(AccessMode::text).toList().toString();
  }

  /// The volume that is made for the claim.
  public static ObjectKey volume(Claim claim) {
    return ObjectKey.cluster("pvc-" + claim.meta().uid());
  }

  @Override
  public void carryOut(Effect effect) {
    switch (effect) {
      case Make(var claim) -> {
        var draft =
            Draft.volume(volume(claim).name())
                .set("spec.storageClassName", claim.className().orElse(""))
                .set("spec.accessModes", modes(claim))
                .claimedBy(claim.meta().name())
                .set("spec.claimRef.uid", claim.meta().uid())
                .annotate(Annotations.PROVISIONED_BY, DRIVER);
        api.create(Resources.VOLUMES, draft.unborn());
      }
      case Remove(var volume) ->
          api.delete(Resources.VOLUMES, volume.meta().key(), DeleteOptions.DEFAULT);
      case Effect other -> throw new IllegalStateException("not ours: " + other);
    }
  }
}

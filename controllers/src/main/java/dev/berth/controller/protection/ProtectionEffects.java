package dev.berth.controller.protection;

import static dev.berth.kube.name.Finalizers.PVC_PROTECTION;
import static dev.berth.kube.name.Finalizers.PV_PROTECTION;
import static dev.berth.kube.name.Finalizers.VAC_PROTECTION;

import dev.berth.controller.Live;
import dev.berth.controller.Outdated;
import dev.berth.controller.protection.ProtectionEffect.ProtectAttributesClass;
import dev.berth.controller.protection.ProtectionEffect.ProtectClaim;
import dev.berth.controller.protection.ProtectionEffect.ProtectVolume;
import dev.berth.controller.protection.ProtectionEffect.ReleaseAttributesClass;
import dev.berth.controller.protection.ProtectionEffect.ReleaseClaim;
import dev.berth.controller.protection.ProtectionEffect.ReleaseVolume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.stream.Stream;

/// Carries out what protection decided.
final class ProtectionEffects implements Effects<ProtectionEffect> {
  private final Api api;
  private final Live live;
  private final LivePods pods;

  ProtectionEffects(Api api) {
    this.api = api;
    this.live = new Live(api);
    this.pods = new LivePods(api);
  }

  @Override
  public void carryOut(ProtectionEffect effect) throws InterruptedException {
    switch (effect) {
      case ProtectClaim(_, Seen<Claim>(var claim)) ->
          hold(Resources.CLAIMS, claim.meta(), PVC_PROTECTION);
      case ReleaseClaim(_, Seen<Claim>(var claim)) -> {
        refuseIfUsed(claim);
        write(Resources.CLAIMS, claim.meta(), letGo(claim.meta(), PVC_PROTECTION));
      }
      case ProtectVolume(_, Seen<Volume>(var volume)) ->
          hold(Resources.VOLUMES, volume.meta(), PV_PROTECTION);
      case ReleaseVolume(_, Seen<Volume>(var volume)) -> {
        refuseIfHeld(volume);
        write(Resources.VOLUMES, volume.meta(), letGo(volume));
      }
      case ProtectAttributesClass(_, Seen<AttributesClass>(var attributes)) ->
          hold(Resources.ATTRIBUTES_CLASSES, attributes.meta(), VAC_PROTECTION);
      case ReleaseAttributesClass(_, Seen<AttributesClass>(var attributes)) -> {
        refuseIfNamed(attributes.meta().name());
        write(
            Resources.ATTRIBUTES_CLASSES,
            attributes.meta(),
            letGo(attributes.meta(), VAC_PROTECTION));
      }
    }
  }

  /// A claim or a volume may name it that the caches have not heard of yet (VAC-02).
  private void refuseIfNamed(String attributesClass) {
    Stream.concat(
            all(Kinds.CLAIM)
                .filter(claim -> claim.attributesClasses().contains(attributesClass))
                .map(Claim::ref),
            all(Kinds.VOLUME)
                .filter(volume -> volume.attributesClassName().equals(attributesClass))
                .map(Volume::ref))
        .findFirst()
        .ifPresent(user -> {
          throw Outdated.because(
              "%s names volumeattributesclass \"%s\"".formatted(user, attributesClass));
        });
  }

  private <T extends KubeObject> Stream<T> all(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read());
  }

  /// A pod may have been placed since the caches last heard of it.
  private void refuseIfUsed(Claim claim) throws InterruptedException {
    for (var user : pods.using(claim))
      throw Outdated.because(
          "pod \"%s\" uses persistentvolumeclaim \"%s\""
              .formatted(user.meta().name(), claim.meta().name()));
  }

  private void refuseIfHeld(Volume volume) {
    volume
        .claim()
        .filter(ref -> !ref.uid().isEmpty())
        .filter(ref -> live.find(Kinds.CLAIM, ref.key()).filter(ref::names).isPresent())
        .ifPresent(ref -> {
          throw Outdated.because(
              "persistentvolumeclaim \"%s\" holds persistentvolume \"%s\""
                  .formatted(ref.key(), volume.meta().name()));
        });
  }

  private void hold(Resource resource, Meta seen, String finalizer) {
    write(
        resource,
        seen,
        new JsonPatch()
            .testSame(seen)
            .testAbsent("metadata", "deletionTimestamp")
            .addFinalizer(seen, finalizer)
            .patch());
  }

  private static Patch letGo(Meta seen, String finalizer) {
    return new JsonPatch().testSame(seen).removeFinalizer(seen, finalizer).patch();
  }

  /// Who deletes a volume and who detaches it let go of it at the same moment (PROT-09). A claim
  /// that took one which waits for a claim of that name would be in its uid; nobody takes one that
  /// is reserved for a claim that has gone.
  private static Patch letGo(Volume volume) {
    return volume.claim().filter(ref -> !ref.uid().isEmpty()).isPresent()
        ? Patch.withoutFinalizer(volume.meta(), PV_PROTECTION)
        : new JsonPatch()
            .testSame(volume.meta())
            .testAbsent("spec", "claimRef", "uid")
            .removeFinalizer(volume.meta(), PV_PROTECTION)
            .patch();
  }

  /// An object that has gone meanwhile needs nothing more (PROT-09).
  private void write(Resource resource, Meta seen, Patch patch) {
    try {
      api.patch(resource, seen.key(), patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}

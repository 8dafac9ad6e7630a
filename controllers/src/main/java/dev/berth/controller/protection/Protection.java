package dev.berth.controller.protection;

import dev.berth.controller.Indexes;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Kubernetes' pvc-protection, pv-protection and vac-protection controllers.
public final class Protection {
  /// Source of their events.
  public static final String COMPONENT = "persistentvolumeclaim-protection-controller";

  private final ProtectionEffects effects;

  public Protection(Api api) {
    effects = new ProtectionEffects(api);
  }

  /// Keeps claims that pods use.
  public Unsplit<ObjectKey, ?> claims() {
    return new Claims(new ClaimProtection(), effects);
  }

  /// Keeps volumes that claims hold.
  public Unsplit<ObjectKey, ?> volumes() {
    return new Volumes(new VolumeProtection(), effects);
  }

  /// Keeps VolumeAttributesClasses that claims and volumes name.
  public Unsplit<ObjectKey, ?> attributesClasses() {
    return new AttributesClasses(new AttributesClassProtection(), effects);
  }

  private record Claims(ClaimProtection decision, ProtectionEffects effects)
      implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "pvc-protection";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(Kinds.CLAIM, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.on(Kinds.POD, Claims::ofPod),
          Trigger.none(Kinds.VOLUME)); // what is at stake is said, and decides nothing
    }

    /// Only claims that are being deleted look at pods; the old pod counts too, where another took
    /// its name (PROT-04).
    private static Stream<ObjectKey> ofPod(Change<Pod> change, Snapshot objects) {
      return Stream.of(change.before(), change.after())
          .flatMap(Optional::stream)
          .flatMap(pod -> pod.claimNames().map(name -> ObjectKey.of(pod.meta().namespace(), name)))
          .distinct()
          .filter(key ->
              objects
                  .get(Kinds.CLAIM, key)
                  .found()
                  .filter(claim -> claim.meta().deleting())
                  .isPresent());
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects);
    }

    @Override
    public Step decide(View view, ObjectKey claim) {
      return decision.decide(view, claim);
    }

    @Override
    public void carryOut(Effect effect) throws InterruptedException {
      effects.carryOut((ProtectionEffect) effect);
    }
  }

  private record Volumes(VolumeProtection decision, ProtectionEffects effects)
      implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "pv-protection";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(Kinds.VOLUME, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.on(Kinds.CLAIM, Volumes::ofClaim));
    }

    private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
      return objects.by(Indexes.VOLUMES_BY_CLAIM, change.latest().meta().key().toString()).stream()
          .filter(volume -> volume.meta().deleting())
          .map(volume -> volume.meta().key());
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects);
    }

    @Override
    public Step decide(View view, ObjectKey volume) {
      return decision.decide(view, volume);
    }

    @Override
    public void carryOut(Effect effect) throws InterruptedException {
      effects.carryOut((ProtectionEffect) effect);
    }
  }

  private record AttributesClasses(AttributesClassProtection decision, ProtectionEffects effects)
      implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "vac-protection";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(
              Kinds.ATTRIBUTES_CLASS, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.on(
              Kinds.CLAIM,
              (change, objects) ->
                  deleting(change.before().stream().flatMap(AttributesClasses::named), objects)),
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
    public View view(Snapshot objects, Instant now) {
      return new View(objects);
    }

    @Override
    public Step decide(View view, ObjectKey attributesClass) {
      return decision.decide(view, attributesClass);
    }

    @Override
    public void carryOut(Effect effect) throws InterruptedException {
      effects.carryOut((ProtectionEffect) effect);
    }
  }
}

package dev.berth.sidecar.reclaimer;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.Phase;
import dev.berth.kube.model.Volume.ReclaimPolicy;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Hold;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Reclaim;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Release;
import dev.berth.sidecar.secret.SecretParameters;
import dev.berth.sidecar.secret.SecretParameters.Resolved;
import dev.berth.sidecar.secret.SecretParameters.Unresolvable;
import dev.berth.sidecar.secret.SecretUse;
import dev.berth.sidecar.secret.TemplateSubject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Takes one PersistentVolume of our driver through the end of its life.
final class ReclaimDecision {
  private final DriverFacts driver;

  ReclaimDecision(DriverFacts driver) {
    this.driver = driver;
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.volume(key)) {
      case Missing<Volume> _ -> new Settled();
      case Found(var volume) when !driver.serves(volume) -> new Settled(); // PROV-155
      case Found(var volume) when !isOurs(view, volume) -> new Settled(); // PROV-130
      case Found(var volume) when isDue(volume) -> reclaim(view, volume); // PROV-131
      case Found(var volume) when held(volume) && volume.reclaimPolicy() != ReclaimPolicy.DELETE ->
          new Act(new Release(key, new Seen<>(volume.meta()))); // PROV-140
      case Found(var volume) when wantsHold(volume) ->
          new Act(new Hold(key, new Seen<>(volume.meta())));
      case Found(var volume) when takesDataUnasked(volume) -> Settled.but(warning(volume));
      case Found<Volume> _ -> new Settled();
    };
  }

  /// By who made it or has taken it over; made by nobody, by its source: volumes made by hand are
  /// ours too (RECL-06).
  boolean isOurs(View view, Volume volume) {
    var maker = volume.meta().annotation(Annotations.PROVISIONED_BY);
    var heir = volume.meta().annotation(Annotations.MIGRATED_TO);
    return maker.isPresent()
        ? isUs(maker) || isUs(heir)
        : isUs(view.source(volume).map(CsiSource::driver).or(() -> heir));
  }

  private boolean isUs(Optional<String> name) {
    return name.filter(driver.name()::equals).isPresent();
  }

  private static boolean isDue(Volume volume) {
    return volume.phase() == Phase.RELEASED
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && (!volume.meta().deleting() || held(volume));
  }

  private static boolean wantsHold(Volume volume) {
    return volume.phase() == Phase.BOUND
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && !volume.meta().deleting()
        && !held(volume);
  }

  /// Whoever made it by hand may not know that we are going to delete what was there before it
  /// (RECL-06).
  private boolean takesDataUnasked(Volume volume) {
    return !volume.meta().hasAnnotation(Annotations.PROVISIONED_BY)
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && (volume.phase() == Phase.AVAILABLE || volume.phase() == Phase.BOUND)
        && driver.provisions();
  }

  private Notice warning(Volume volume) {
    var claim =
        volume.phase() == Phase.BOUND
            ? volume.claim().map(ref -> "claim " + ref.key()).orElse("its claim")
            : "a claim that gets it";
    return Notice.warning(
        volume.ref(),
        Reasons.DATA_GOES_WITH_CLAIM,
        """
        it was made by hand with policy Delete: when %s is deleted, driver %s deletes the data; \
        to keep it: kubectl patch pv %s -p \
        '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'\
        """
            .formatted(claim, driver.name(), volume.meta().name()));
  }

  private static boolean held(Volume volume) {
    return volume.meta().hasFinalizer(Finalizers.PROVISIONER);
  }

  /// PROV-132, as far as it can be seen from here.
  private Step reclaim(View view, Volume volume) {
    if (!driver.provisions()) return untilDriverDeletes(volume);
    var source = view.source(volume);
    if (source.isEmpty()) return untilSourceIsOurs(volume, "the volume is not a CSI volume");
    // RECL-06: what another driver calls so may be anybody's data here
    if (!source.get().driver().equals(driver.name()))
      return untilSourceIsOurs(volume, "the volume is one of driver " + source.get().driver());
    var attachment = driver.publishes() ? view.attachmentOf(volume) : Optional.<Attachment>empty();
    if (attachment.isPresent()) return untilDetached(volume, attachment.get()); // PROV-133
    return switch (secret(view, volume)) {
      case Unresolvable(var why) -> untilSecretIsNamed(volume, why);
      case Resolved secrets ->
          new Act(
              new Reclaim(
                  volume.meta().key(),
                  volume.meta().uid(),
                  source.get().handle(),
                  volume.className(),
                  secrets.of(SecretUse.PROVISION)));
    };
  }

  /// The Secret that was noted at creation, or else the one that the class names now (PROV-134).
  private static SecretParameters.Resolution secret(View view, Volume volume) {
    var name = volume.meta().annotation(Annotations.DELETION_SECRET_NAME);
    var namespace = volume.meta().annotation(Annotations.DELETION_SECRET_NAMESPACE);
    if (name.isPresent() && namespace.isPresent())
      return name.get().isEmpty() || namespace.get().isEmpty()
          ? new Resolved(Map.of())
          : new Resolved(Map.of(SecretUse.PROVISION, new SecretRef(namespace.get(), name.get())));
    var storageClass = view.storageClass(volume.className()).found();
    if (storageClass.isEmpty() || volume.claim().isEmpty()) return new Resolved(Map.of());
    return SecretParameters.resolve(
        storageClass.get().parameters(),
        new TemplateSubject(volume.meta().name(), volume.claim().get().key(), Map.of()),
        Set.of(SecretUse.PROVISION));
  }

  private static Wait untilDetached(Volume volume, Attachment attachment) {
    return since(volume, Wait.on(attachment.ref()))
        .until(
            "volume %s is detached from node %s"
                .formatted(volume.meta().name(), attachment.nodeName()))
        .remedy("see what holds it: " + Commands.explain(attachment.ref()));
  }

  private Wait untilDriverDeletes(Volume volume) {
    return failed(
        volume,
        since(volume, Wait.on(volume.ref()))
            .until("driver %s can delete volumes".formatted(driver.name()))
            .remedy("delete the storage by hand, then the PersistentVolume"),
        "CSI driver %s does not support deletion of volumes".formatted(driver.name()));
  }

  private Wait untilSourceIsOurs(Volume volume, String why) {
    return failed(
        volume,
        since(volume, Wait.on(volume.ref(), "spec.csi"))
            .until("its source is a volume of %s".formatted(driver.name()))
            .remedy("delete the storage by hand, then the PersistentVolume"),
        why);
  }

  private static Wait untilSecretIsNamed(Volume volume, String why) {
    return failed(
        volume,
        since(volume, Wait.on(volume.ref(), "metadata.annotations"))
            .until("the Secret for its deletion is known")
            .remedy(
                "annotate it with %s and %s; leave both empty if no Secret is needed"
                    .formatted(
                        Annotations.DELETION_SECRET_NAME, Annotations.DELETION_SECRET_NAMESPACE)),
        why);
  }

  private static Wait failed(Volume volume, Wait until, String why) {
    return until.tell(Notice.warning(volume.ref(), Reasons.VOLUME_FAILED_DELETE, why));
  }

  private static Wait.Sentence since(Volume volume, Wait.Sentence sentence) {
    return volume.phaseSince().map(sentence::since).orElse(sentence);
  }
}

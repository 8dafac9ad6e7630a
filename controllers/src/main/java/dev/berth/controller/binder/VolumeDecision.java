package dev.berth.controller.binder;

import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.binder.BinderEffect.MarkVolumeAvailable;
import dev.berth.controller.binder.BinderEffect.MarkVolumeFailed;
import dev.berth.controller.binder.BinderEffect.MarkVolumeReleased;
import dev.berth.controller.binder.BinderEffect.UnreserveVolume;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.model.Volume.Phase;
import dev.berth.kube.model.Volume.ReclaimPolicy;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Translation;
import java.time.Duration;

/// Takes one volume that no living claim holds to where it can be used again or reclaimed (sections
/// 3.6 and 5). What a living claim holds or is getting is left to [ClaimDecision].
final class VolumeDecision {
  /// What deleting a volume may take before somebody should look (D07).
  private static final Duration LATE = Duration.ofMinutes(5);

  Step decide(View view, String name) {
    return switch (view.volume(name)) {
      case Missing<Volume> _ -> new Settled();
      case Found<Volume>(var volume) when volume.claim().isEmpty() -> offer(volume);
      case Found<Volume>(var volume) when volume.claim().orElseThrow().uid().isEmpty() ->
          offerTo(view, volume, volume.claim().orElseThrow());
      case Found<Volume>(var volume) -> follow(view, volume, volume.claim().orElseThrow());
    };
  }

  /// BIND-41: also what was Released or Failed, once somebody took its `claimRef` away.
  private static Step offer(Volume volume) {
    return volume.phase() == Phase.AVAILABLE
        ? new Settled()
        : new Act(new MarkVolumeAvailable(Revision.of(volume.meta())));
  }

  private static Step offerTo(View view, Volume volume, ClaimRef reserved) {
    boolean taken =
        view.claim(reserved.key()).found().filter(claim -> takes(view, claim, volume)).isPresent();
    return taken || volume.phase() == Phase.AVAILABLE
        ? untilTaken(reserved)
        : new Act(new MarkVolumeAvailable(Revision.of(volume.meta())));
  }

  /// Section 3.6, from the third line on.
  private static Step follow(View view, Volume volume, ClaimRef reserved) {
    return switch (view.claim(reserved.key())) {
      case Found<Claim>(var claim) when !claim.meta().uid().equals(reserved.uid()) ->
          release(volume, reserved);
      case Missing<Claim> _ -> release(volume, reserved);
      case Found<Claim>(var claim) when takes(view, claim, volume) -> new Settled();
      case Found<Claim>(var claim) when claim.volumeName().isEmpty() ->
          claim.volumeMode() == volume.volumeMode()
              ? untilTaken(reserved)
              : untilVolumeModesAgree(volume, claim);
      case Found<Claim> _ -> partFromBoundElsewhere(volume, reserved);
    };
  }

  /// Whether the claim is bound to the volume or will be by [ClaimDecision].
  private static boolean takes(View view, Claim claim, Volume volume) {
    return claim.volumeName().isEmpty()
        ? view.reserved(claim).filter(volume::equals).isPresent()
        : claim.volumeName().equals(volume.meta().name());
  }

  private static Step release(Volume volume, ClaimRef claim) {
    return switch (volume.phase()) {
      case RELEASED -> reclaim(volume);
      case FAILED -> untilAdministratorActs(volume);
      case PENDING, AVAILABLE, BOUND ->
          new Act(new MarkVolumeReleased(Revision.of(volume.meta()), claim.key(), claim.uid()));
    };
  }

  /// Section 5. The policy is read when the claim has gone, and again by who deletes (RECL-05).
  private static Step reclaim(Volume volume) {
    var migratedTo = volume.meta().annotation(Annotations.MIGRATED_TO);
    if (migratedTo.isPresent()) return untilDeleted(volume, migratedTo.get()); // RECL-01
    return switch (volume.reclaimPolicy()) {
      case RETAIN -> untilReused(volume);
      case DELETE -> delete(volume);
      case RECYCLE ->
          new Act(
              new MarkVolumeFailed(
                  Revision.of(volume.meta()),
                  Reasons.VOLUME_FAILED_RECYCLE,
                  "No recycler plugin found for the volume!"));
      case UNKNOWN ->
          new Act(
              new MarkVolumeFailed(
                  Revision.of(volume.meta()),
                  Reasons.VOLUME_UNKNOWN_RECLAIM_POLICY,
                  "Volume has unrecognized PersistentVolumeReclaimPolicy"));
    };
  }

  /// RECL-02: whoever made it deletes it, and for a CSI volume its driver (PROV-131).
  private static Step delete(Volume volume) {
    var maker = volume.meta().annotation(Annotations.PROVISIONED_BY);
    var source = Translation.NONE.source(volume);
    if (source.isPresent())
      return untilDeleted(volume, maker.orElseGet(() -> source.get().driver()));
    if (maker.isPresent() && !maker.get().startsWith("kubernetes.io/"))
      return untilDeleted(volume, maker.get());
    return new Act(
        new MarkVolumeFailed(
            Revision.of(volume.meta()),
            Reasons.VOLUME_FAILED_DELETE,
            "error getting deleter volume plugin for volume \"%s\": no volume plugin matched"
                .formatted(volume.meta().name())));
  }

  /// The last line of section 3.6.
  private static Step partFromBoundElsewhere(Volume volume, ClaimRef claim) {
    boolean madeForIt =
        volume.meta().hasAnnotation(Annotations.PROVISIONED_BY)
            && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
    if (madeForIt) return release(volume, claim); // RACE-03
    return new Act(
        new UnreserveVolume(
            Revision.of(volume.meta()),
            claim,
            volume.meta().hasAnnotation(Annotations.BOUND_BY_CONTROLLER)
                ? ChosenBy.CONTROLLER
                : ChosenBy.AUTHOR)); // RACE-04
  }

  // C23
  private static Wait untilTaken(ClaimRef reserved) {
    return Wait.on(Ref.of(Resources.CLAIMS, reserved.key()), "spec.volumeName")
        .until("claim " + reserved.key() + ", for which it is reserved, takes it")
        .remedy("create that claim so that this volume fits it, or remove spec.claimRef here");
  }

  private static Wait untilVolumeModesAgree(Volume volume, Claim claim) {
    var mode = "due to incompatible volumeMode.";
    var ofVolume =
        "Cannot bind PersistentVolume to requested PersistentVolumeClaim \"%s\" %s"
            .formatted(claim.meta().name(), mode);
    var ofClaim =
        "Cannot bind PersistentVolume \"%s\" to requested PersistentVolumeClaim %s"
            .formatted(volume.meta().name(), mode);
    return Wait.on(claim.ref(), "spec.volumeMode")
        .since(claim.meta().created())
        .until("claim " + claim.meta().key() + ", for which it is reserved, has its volumeMode")
        .remedy("create the claim or the volume again with the volumeMode of the other")
        .tell(
            Notice.warning(volume.ref(), Reasons.VOLUME_MISMATCH, ofVolume),
            Notice.warning(claim.ref(), Reasons.VOLUME_MISMATCH, ofClaim));
  }

  // D07, D08
  private static Step untilDeleted(Volume volume, String driver) {
    return since(volume, Wait.on(volume.ref(), "metadata.deletionTimestamp"))
        .until("the provisioner of " + driver + " has deleted it")
        .ifLate(
            LATE,
            "look at the provisioner of %s and at what it says: %s"
                .formatted(driver, Commands.kubectl("describe", volume.ref(), "")));
  }

  // D13
  private static Step untilReused(Volume volume) {
    return since(volume, Wait.on(volume.ref(), "spec.claimRef"))
        .until("somebody frees or deletes it, since its policy is Retain")
        .danger(
            "whoever gets it next gets the data that is on it",
            "to offer it again, data included, remove spec.claimRef; or delete it and its storage");
  }

  // D10
  private static Step untilAdministratorActs(Volume volume) {
    return since(volume, Wait.on(volume.ref(), "spec.claimRef"))
        .until("somebody repairs it: its storage could not be reclaimed")
        .remedy("see status.message; to offer it again, data included, remove spec.claimRef");
  }

  private static Wait.Sentence since(Volume volume, Wait.Sentence sentence) {
    return volume.phaseSince().map(sentence::since).orElse(sentence);
  }
}

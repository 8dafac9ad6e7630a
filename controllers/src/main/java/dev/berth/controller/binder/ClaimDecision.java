package dev.berth.controller.binder;

import dev.berth.controller.Mismatch;
import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.binder.BinderEffect.AssignClass;
import dev.berth.controller.binder.BinderEffect.MarkClaimBound;
import dev.berth.controller.binder.BinderEffect.MarkClaimLost;
import dev.berth.controller.binder.BinderEffect.MarkClaimPending;
import dev.berth.controller.binder.BinderEffect.MarkVolumeBound;
import dev.berth.controller.binder.BinderEffect.NameVolume;
import dev.berth.controller.binder.BinderEffect.ReserveVolume;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.volume.Binding;
import java.util.Optional;

/// Takes one claim to its volume, and the volume that it gets with it (sections 3.2 to 3.5).
final class ClaimDecision {
  private static final String KEEP =
      "kubectl patch pv %s -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'";

  private final Provisioning provisioning;

  ClaimDecision(Binder.Options options) {
    provisioning = new Provisioning(options);
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      case Found<Claim>(var claim) when claim.bindCompleted() -> stayBound(view, claim);
      case Found<Claim>(var claim) when !claim.volumeName().isEmpty() ->
          pendingMeanwhile(claim, bindToNamed(view, claim));
      case Found<Claim>(var claim) -> pendingMeanwhile(claim, seekVolume(view, claim));
    };
  }

  /// BIND-11: a claim that waits for its volume says so.
  private static Step pendingMeanwhile(Claim claim, Step step) {
    return step instanceof Wait && claim.phase() != Claim.Phase.PENDING
        ? new Act(new MarkClaimPending(Revision.of(claim.meta())))
        : step;
  }

  /// BIND-25 and BIND-26: the claim was bound once; its volume must still be there and be its own.
  private Step stayBound(View view, Claim claim) {
    if (claim.volumeName().isEmpty())
      return lost(
          claim,
          Optional.empty(),
          Reasons.CLAIM_LOST,
          "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
    return switch (view.volume(claim.volumeName())) {
      case Missing<Volume> _ ->
          lost(
              claim,
              Optional.of(claim.volumeName()),
              Reasons.CLAIM_LOST,
              "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
      case Found<Volume>(var volume)
          when volume.claim().isEmpty() || Binding.holds(volume, claim) ->
          bind(claim, volume);
      case Found<Volume> _ ->
          lost(
              claim,
              Optional.empty(),
              Reasons.CLAIM_MISBOUND,
              "Two claims are bound to the same volume, this one is bound incorrectly");
    };
  }

  /// BIND-20 to BIND-23: the claim's author named the volume, or binding was interrupted.
  private Step bindToNamed(View view, Claim claim) {
    return switch (view.volume(claim.volumeName())) {
      case Missing<Volume>(var absent) -> untilNamedVolumeExists(claim, absent);
      case Found<Volume>(var volume) when volume.claim().isEmpty() ->
          Mismatch.between(claim, volume)
              .<Step>map(mismatch -> untilNamedVolumeFits(claim, volume, mismatch))
              .orElseGet(() -> bind(claim, volume));
      case Found<Volume>(var volume) when volume.claim().orElseThrow().names(claim) ->
          bind(claim, volume); // BIND-22: whoever reserved it answers for its fitting
      case Found<Volume>(var volume) -> untilNamedVolumeIsFree(claim, volume);
    };
  }

  /// Section 3.2, line by line: the first line that applies is the step (BIND-10).
  private Step seekVolume(View view, Claim claim) {
    var reserved = view.reserved(claim);
    if (reserved.isPresent()) return bind(claim, reserved.get());
    if (claim.meta().deleting()) return untilGone(claim); // starts nothing new for it
    var storageClass =
        claim.className().filter(name -> !name.isEmpty()).map(name -> view.storageClass(name));
    var waiting =
        storageClass.flatMap(lookup -> lookup.found()).filter(StorageClass::waitsForFirstConsumer);
    var free =
        waiting.isEmpty()
            ? view.bestFree(claim) // MATCH-05
            : provisioning
                .nodeByHand(view, claim, waiting.get())
                .flatMap(node -> view.bestFree(claim, node));
    if (free.isPresent()) return bind(claim, free.get());
    // DSC-02
    if (claim.className().isEmpty() && view.defaultClass().isPresent())
      return new Act(
          new AssignClass(
              Revision.of(claim.meta()), view.defaultClass().orElseThrow().meta().name()));
    if (storageClass.isEmpty()) return untilVolumeOrClassExists(claim);
    return switch (storageClass.get()) {
      case Missing<StorageClass>(var absent) -> untilClassExists(claim, absent);
      case Found<StorageClass>(var found) -> provisioning.decide(view, claim, found);
    };
  }

  /// BIND-30: the four writes, each left out if it is done already (BIND-31).
  private Step bind(Claim claim, Volume volume) {
    var revision = Revision.of(claim.meta());
    if (!Binding.holds(volume, claim))
      return new Act(
          new ReserveVolume(
              new Reservation(
                  Revision.of(volume.meta()),
                  revision,
                  volume.claim().isEmpty() ? ChosenBy.CONTROLLER : ChosenBy.AUTHOR))); // BIND-32
    if (volume.phase() != Volume.Phase.BOUND)
      return new Act(new MarkVolumeBound(Revision.of(volume.meta())));
    if (!claim.bindCompleted() || claim.volumeName().isEmpty())
      return new Act(
          new NameVolume(
              claim,
              volume.meta().name(),
              claim.volumeName().isEmpty() ? ChosenBy.CONTROLLER : ChosenBy.AUTHOR));
    boolean changes = claim.phase() != Claim.Phase.BOUND;
    if (changes || !claim.statusAccessModes().equals(volume.accessModes()))
      return new Act(
          new MarkClaimBound(
              revision,
              volume.accessModes(),
              changes ? Optional.of(capacity(volume)) : Optional.empty(),
              claim.phase() == Claim.Phase.PENDING
                  ? Optional.of(volume.attributesClassName())
                  : Optional.empty()));
    return new Settled();
  }

  /// A volume whose file system has not followed its growth is as large as before (RSZ-76).
  private static Quantity capacity(Volume volume) {
    try {
      return volume
          .meta()
          .annotation(Annotations.PRE_RESIZE_CAPACITY)
          .map(Quantity::parse)
          .orElse(volume.capacity());
    } catch (IllegalArgumentException notOne) {
      return volume.capacity();
    }
  }

  private Step lost(Claim claim, Optional<String> absent, String reason, String message) {
    if (claim.phase() != Claim.Phase.LOST)
      return new Act(new MarkClaimLost(Revision.of(claim.meta()), absent, reason, message));
    return untilVolumeReturns(claim, reason);
  }

  // C14; BIND-27: lost is not the end.
  private static Wait untilVolumeReturns(Claim claim, String reason) {
    if (claim.volumeName().isEmpty())
      return Wait.on(claim.ref(), "spec.volumeName")
          .until("it is deleted, since a claim cannot be given back its volume's name")
          .danger(
              "find out which volume it was before the claim goes: kubectl get pv -o wide",
              "create another claim that names the volume in spec.volumeName");
    var volume = Ref.of(Resources.VOLUMES, ObjectKey.cluster(claim.volumeName()));
    return reason.equals(Reasons.CLAIM_MISBOUND)
        ? Wait.on(volume, "spec.claimRef")
            .until(volume + " is no longer another claim's")
            .danger(
                "find out whose data it is, and that no pod of the other claim runs",
                "if the data is this claim's, remove spec.claimRef from " + volume)
        : Wait.on(volume)
            .until(volume + " exists again")
            .danger(
                "leave the claim: its data may still be on what the volume stood for",
                "create "
                    + volume
                    + " again with the same driver and volumeHandle, policy Retain and a claimRef"
                    + " without uid; the claim then becomes Bound");
  }

  // C07
  private static Wait untilNamedVolumeExists(Claim claim, Ref absent) {
    return Wait.on(absent)
        .since(claim.meta().created())
        .until(absent + ", which it names in spec.volumeName, exists")
        .remedy("create " + absent + ", or create the claim again without spec.volumeName")
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.FAILED_BINDING,
                "volume \""
                    + absent.key().name()
                    + "\", which spec.volumeName asks for, does not exist")); // BIND-17
  }

  // C08
  private static Wait untilNamedVolumeFits(Claim claim, Volume volume, Mismatch mismatch) {
    return Wait.on(volume.ref(), mismatch.field())
        .since(claim.meta().created())
        .until(volume.ref() + " fits: " + mismatch.text())
        .remedy("change " + volume.ref() + ", or create the claim again so that the two agree")
        .tell(
            Notice.warning(
                claim.ref(),
                Reasons.VOLUME_MISMATCH,
                "Cannot bind to requested volume \"%s\": %s"
                    .formatted(volume.meta().name(), mismatch.text())));
  }

  // C09
  private static Wait untilNamedVolumeIsFree(Claim claim, Volume volume) {
    var other = volume.claim().orElseThrow();
    var wait =
        Wait.on(volume.ref(), "spec.claimRef")
            .since(claim.meta().created())
            .until(volume.ref() + " is no longer claim " + other.key() + "'s");
    // XPL-31
    if (volume.phase() == Volume.Phase.BOUND)
      wait = wait.remedy("create the claim again, without spec.volumeName or with another volume");
    else if (volume.reclaimPolicy() != Volume.ReclaimPolicy.DELETE)
      wait =
          wait.remedy(
              "if claim %s is gone for good and its data is wanted here: kubectl patch pv %s --type merge -p '{\"spec\":{\"claimRef\":null}}'"
                  .formatted(other.key(), volume.meta().name()));
    else
      wait =
          wait.danger(
              "make sure that the claim is gone and its data is wanted here; while the volume's"
                  + " policy is Delete, the data is about to be deleted",
              "set the policy of %s to Retain first, then remove spec.claimRef.uid: %s"
                  .formatted(volume.ref(), KEEP.formatted(volume.meta().name())));
    return wait.tell(
        Notice.warning(
            claim.ref(),
            Reasons.FAILED_BINDING,
            "volume \"%s\" already bound to a different claim.".formatted(volume.meta().name())));
  }

  private static Wait untilGone(Claim claim) {
    return Wait.on(claim.ref(), "metadata.finalizers")
        .since(claim.meta().deleted().orElseThrow())
        .until("it is gone, since it is being deleted");
  }

  // C01
  private static Wait untilVolumeOrClassExists(Claim claim) {
    return Wait.on(claim.ref(), "spec.storageClassName")
        .since(claim.meta().created())
        .until("a volume without a class fits it, or it gets a class")
        .remedy(
            claim.className().isEmpty()
                ? "mark a storage class as the default with the annotation "
                    + Annotations.DEFAULT_CLASS
                    + "=true"
                : "create a volume that fits, or create the claim again with a storageClassName")
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.FAILED_BINDING,
                "no persistent volumes available for this claim and no storage class is set"));
  }

  // C02; BIND-15
  private static Wait untilClassExists(Claim claim, Ref absent) {
    return Wait.on(absent)
        .since(claim.meta().created())
        .until(absent + " exists or a volume of that class fits it")
        .remedy("create " + absent + "; a claim's class cannot be changed")
        .tell(
            Notice.warning(
                claim.ref(),
                Reasons.PROVISIONING_FAILED,
                "storageclass.storage.k8s.io \"%s\" not found".formatted(absent.key().name())));
  }
}

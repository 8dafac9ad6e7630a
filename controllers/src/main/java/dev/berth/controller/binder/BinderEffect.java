package dev.berth.controller.binder;

import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import java.util.Optional;
import java.util.Set;

/// What the binder can do. Each is one write, and applies only to the object as it was seen.
sealed interface BinderEffect extends Effect {
  /// First write of binding: the volume names the claim (BIND-30).
  record ReserveVolume(Reservation reservation) implements BinderEffect {}

  /// Second write of binding: the volume's phase.
  record MarkVolumeBound(Revision volume) implements BinderEffect {}

  /// Third write of binding: the claim names the volume, for good.
  ///
  /// @param claim as it was seen: of that only what is written is taken for granted
  record NameVolume(ObjectKey key, Seen<Claim> claim, String volume, ChosenBy chosenBy)
      implements BinderEffect {
    NameVolume(Claim claim, String volume, ChosenBy chosenBy) {
      this(claim.meta().key(), new Seen<>(claim), volume, chosenBy);
    }
  }

  /// Fourth write of binding: the claim's phase.
  ///
  /// @param capacity empty: it stays as it is
  /// @param attributesClass what the claim currently has; empty: it stays as it is, `""`: none
  record MarkClaimBound(
      Revision claim,
      Set<AccessMode> accessModes,
      Optional<Quantity> capacity,
      Optional<String> attributesClass)
      implements BinderEffect {}

  /// A claim that is not bound says so (BIND-11).
  record MarkClaimPending(Revision claim) implements BinderEffect {}

  /// A bound claim has no volume any more (BIND-25, BIND-26).
  ///
  /// @param absent volume that must be absent at the server too (BIND-27); empty: nothing must
  record MarkClaimLost(Revision claim, Optional<String> absent, String reason, String message)
      implements BinderEffect {}

  /// Writes a default class into a claim that names none (DSC-02).
  record AssignClass(Revision claim, String storageClass) implements BinderEffect {}

  /// A pod that was placed by hand chooses the node (BIND-16).
  record SelectNode(Revision claim, String node, String pod) implements BinderEffect {}

  /// Tells who shall provision (BIND-12).
  record AskProvisioner(Revision claim, String provisioner) implements BinderEffect {}

  /// The volume waits for a claim.
  record MarkVolumeAvailable(Revision volume) implements BinderEffect {}

  /// The volume's claim has gone. Looks for it at the server first (BIND-40).
  ///
  /// @param claimUid uid of the claim that has gone; one of its name with another uid is no claim
  ///   to it
  record MarkVolumeReleased(Revision volume, ObjectKey claim, String claimUid)
      implements BinderEffect {}

  /// Nobody can reclaim the volume.
  record MarkVolumeFailed(Revision volume, String reason, String message) implements BinderEffect {}

  /// The claim is bound to another volume, so this one is free again.
  record UnreserveVolume(Revision volume, Volume.ClaimRef claim, ChosenBy chosenBy)
      implements BinderEffect {}
}

package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.SnapshotEffect.DeleteContent;
import dev.berth.controller.snapshot.SnapshotEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseClaim;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseSnapshot;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Lets a snapshot go that somebody has deleted (spec/snapshotter.md, section 5).
final class Deletion {
  /// What deleting a snapshot on a storage system may take.
  private static final Duration USUAL = Duration.ofMinutes(5);

  private Deletion() {}

  /// @return empty: nobody has deleted it
  static Optional<Step> step(View view, VolumeSnapshot snapshot) {
    return snapshot.meta().deleting() ? Optional.of(letGo(view, snapshot)) : Optional.empty();
  }

  /// Whether there is anything of ours to let go of.
  static boolean isCandidate(VolumeSnapshot snapshot) {
    return snapshot.meta().deleting()
        && (snapshot.meta().hasFinalizer(SnapshotFinalizers.SNAPSHOT_AS_SOURCE)
            || snapshot.meta().hasFinalizer(SnapshotFinalizers.SNAPSHOT_BOUND));
  }

  private static Step letGo(View view, VolumeSnapshot snapshot) {
    if (!isCandidate(snapshot)) return new Settled();
    var content = view.own(snapshot);
    var restore = content.flatMap(_ -> view.restore(snapshot));
    if (restore.isPresent()) return untilRestored(snapshot, restore.get()); // SNAP-51
    var group =
        View.group(snapshot).flatMap(view::groupSnapshot).filter(it -> isGroupOf(it, snapshot));
    if (group.isPresent()) return untilGroupGoes(snapshot, group.get()); // SNAP-52
    return content.flatMap(it -> discard(snapshot, it)).orElseGet(() -> release(view, snapshot));
  }

  /// A later group of the same name has nothing to do with it.
  private static boolean isGroupOf(GroupSnapshot group, VolumeSnapshot snapshot) {
    return Membership.owner(snapshot)
        .map(owner -> owner.uid().equals(group.meta().uid()))
        .orElse(true);
  }

  /// SNAP-53: the content hears that its snapshot goes, whatever becomes of it.
  private static Optional<Step> discard(VolumeSnapshot snapshot, SnapshotContent content) {
    var meta = content.meta();
    if (!meta.hasAnnotation(SnapshotAnnotations.BEING_DELETED))
      return Optional.of(new Act(new MarkBeingDeleted(meta.key(), new Seen<>(meta))));
    return content.deletionPolicy() == DeletionPolicy.DELETE && !meta.deleting()
        ? Optional.of(new Act(new DeleteContent(meta.key(), meta.uid(), snapshot.ref())))
        : Optional.empty();
  }

  /// The claim is let go of first (SNAP-54); the snapshot outlives a content that is deleted with
  /// it.
  private static Step release(View view, VolumeSnapshot snapshot) {
    var claim = unusedClaim(view, snapshot);
    if (claim.isPresent()) return new Act(claim.get());
    var meta = snapshot.meta();
    var going = view.own(snapshot).filter(it -> it.deletionPolicy() == DeletionPolicy.DELETE);
    var finalizers = new ArrayList<>(List.of(SnapshotFinalizers.SNAPSHOT_AS_SOURCE));
    if (going.isEmpty()) finalizers.add(SnapshotFinalizers.SNAPSHOT_BOUND);
    finalizers.add(SnapshotFinalizers.SNAPSHOT_IN_GROUP); // its group has gone
    finalizers.removeIf(finalizer -> !meta.hasFinalizer(finalizer));
    if (!finalizers.isEmpty())
      return new Act(new ReleaseSnapshot(meta.key(), finalizers, new Seen<>(meta)));
    return going.<Step>map(content -> untilContentGoes(snapshot, content)).orElseGet(Settled::new);
  }

  /// The claim that nothing but this is taken of.
  private static Optional<ReleaseClaim> unusedClaim(View view, VolumeSnapshot snapshot) {
    var but = Optional.of(snapshot.meta().key());
    return Takings.claim(snapshot)
        .flatMap(key -> view.claim(key).found())
        .filter(claim -> claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE))
        .filter(claim -> view.takings().of(claim, but).isEmpty())
        .map(claim -> new ReleaseClaim(claim.meta().key(), claim.meta().uid(), but));
  }

  private static Wait untilRestored(VolumeSnapshot snapshot, Claim claim) {
    return Wait.on(claim.ref(), "status.phase")
        .since(snapshot.meta().deleted().orElseThrow())
        .until("claim %s is made from it".formatted(claim.meta().key()))
        .ifLate(
            USUAL,
            "delete the claim, if it is not to be made: berth explain pvc/" + claim.meta().name())
        .tell(
            Notice.warning(
                snapshot.ref(),
                Reasons.SNAPSHOT_DELETE_PENDING,
                "Snapshot is being used to restore a PVC"));
  }

  private static Wait untilGroupGoes(VolumeSnapshot snapshot, GroupSnapshot group) {
    return Wait.on(group.ref())
        .since(snapshot.meta().deleted().orElseThrow())
        .until("its group %s is gone: one of a group goes with it".formatted(group.meta().key()))
        .remedy("delete volumegroupsnapshot %s".formatted(group.meta().key()))
        .tell(
            Notice.warning(
                snapshot.ref(),
                Reasons.SNAPSHOT_DELETE_PENDING,
                "deletion of the individual volume snapshot %s is not allowed as it belongs to group snapshot %s. Deleting the group snapshot will trigger the deletion of all the individual volume snapshots that are part of the group."
                    .formatted(snapshot.meta().key(), group.meta().key())));
  }

  private static Wait untilContentGoes(VolumeSnapshot snapshot, SnapshotContent content) {
    return Wait.on(content.ref())
        .since(snapshot.meta().deleted().orElseThrow())
        .until("the snapshot is deleted on the storage system")
        .ifLate(USUAL, "berth explain volumesnapshotcontent/" + content.meta().name());
  }
}

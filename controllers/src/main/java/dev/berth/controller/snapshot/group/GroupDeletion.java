package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.group.GroupEffect.DeleteContent;
import dev.berth.controller.snapshot.group.GroupEffect.DeleteMember;
import dev.berth.controller.snapshot.group.GroupEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.group.GroupEffect.ReleaseGroup;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Lets a group go that somebody has deleted (SNAP-75).
final class GroupDeletion {
  /// What deleting a group on a storage system may take.
  private static final Duration USUAL = Duration.ofMinutes(5);

  private GroupDeletion() {}

  /// @return empty: nobody has deleted it
  static Optional<Step> step(GroupView view, GroupSnapshot group) {
    return group.meta().deleting() ? Optional.of(letGo(view, group)) : Optional.empty();
  }

  private static Step letGo(GroupView view, GroupSnapshot group) {
    if (!group.meta().hasFinalizer(SnapshotFinalizers.GROUP_SNAPSHOT_BOUND)) return new Settled();
    var members = view.members(group);
    for (var member : members) {
      var restore = view.restore(member);
      if (restore.isPresent()) return untilRestored(group, member, restore.get());
    }
    var content = view.own(group);
    return content
        .flatMap(it -> discard(view, group, it))
        .or(() -> deleted(group, members))
        .orElseGet(() -> release(group, content));
  }

  /// The content hears that its group goes, whatever becomes of it.
  private static Optional<Step> discard(GroupView view, GroupSnapshot group, GroupContent content) {
    var meta = content.meta();
    var unfinished = Members.unfinished(view, group, content);
    if (unfinished.isPresent()) return unfinished.map(Act::new);
    if (!meta.hasAnnotation(SnapshotAnnotations.GROUP_BEING_DELETED))
      return Optional.of(new Act(new MarkBeingDeleted(meta.key(), new Seen<>(meta))));
    return goesToo(content) && !meta.deleting()
        ? Optional.of(new Act(new DeleteContent(meta.key(), meta.uid(), group.ref())))
        : Optional.empty();
  }

  private static boolean goesToo(GroupContent content) {
    return content.deletionPolicy() == DeletionPolicy.DELETE;
  }

  /// They wait for the group to be gone (SNAP-52).
  private static Optional<Step> deleted(GroupSnapshot group, List<VolumeSnapshot> members) {
    return members.stream()
        .map(VolumeSnapshot::meta)
        .filter(meta -> !meta.deleting())
        .findFirst()
        .map(meta -> new Act(new DeleteMember(meta.key(), meta.uid(), group.ref())));
  }

  /// The group outlives a content that is deleted with it.
  private static Step release(GroupSnapshot group, Optional<GroupContent> content) {
    return content
        .filter(GroupDeletion::goesToo)
        .<Step>map(it -> untilContentGoes(group, it))
        .orElseGet(() -> new Act(new ReleaseGroup(group.meta().key(), new Seen<>(group.meta()))));
  }

  private static Wait untilRestored(GroupSnapshot group, VolumeSnapshot member, Claim claim) {
    return Wait.on(claim.ref(), "status.phase")
        .since(group.meta().deleted().orElseThrow())
        .until("claim %s is made from %s of it".formatted(claim.meta().key(), member.ref()))
        .ifLate(
            USUAL,
            "delete the claim, if it is not to be made: berth explain pvc/" + claim.meta().name())
        .tell(
            Notice.warning(
                group.ref(),
                Reasons.SNAPSHOT_DELETE_PENDING,
                "Snapshot %s belonging to VolumeGroupSnapshot %s is being used to restore a PVC"
                    .formatted(member.meta().key(), group.meta().key())));
  }

  private static Wait untilContentGoes(GroupSnapshot group, GroupContent content) {
    return Wait.on(content.ref())
        .since(group.meta().deleted().orElseThrow())
        .until("the group is deleted on the storage system")
        .ifLate(USUAL, "berth explain volumegroupsnapshotcontent/" + content.meta().name());
  }
}

package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.Membership;
import dev.berth.controller.snapshot.SnapshotIndexes;
import dev.berth.kube.cache.Change;
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
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Takes VolumeGroupSnapshots to where their authors want them.
final class GroupKeeper implements Decider<ObjectKey, GroupView, GroupEffect> {
  @Override
  public String name() {
    return "snapshot-controller-group-snapshot";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(
            SnapshotKinds.GROUP_SNAPSHOT, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(SnapshotKinds.GROUP_CONTENT, GroupKeeper::ofContent),
        Trigger.on(SnapshotKinds.GROUP_CLASS, GroupKeeper::ofClass),
        Trigger.on(SnapshotKinds.SNAPSHOT, GroupKeeper::ofMember),
        Trigger.on(SnapshotKinds.CONTENT, GroupKeeper::ofMemberContent),
        Trigger.on(Kinds.CLAIM, GroupKeeper::ofClaim),
        Trigger.on(Kinds.VOLUME, GroupKeeper::ofVolume));
  }

  /// Whoever has it and whoever wants it.
  private static Stream<ObjectKey> ofContent(Change<GroupContent> change, Snapshot objects) {
    var content = change.latest();
    return Stream.concat(
            Stream.of(content.snapshot().key()),
            objects.by(GroupView.GROUPS_BY_CONTENT, content.meta().name()).stream()
                .map(group -> group.meta().key()))
        .distinct();
  }

  /// Groups that may wait for it; one that has been taken waits for no class.
  private static Stream<ObjectKey> ofClass(Change<SnapshotClass> change, Snapshot objects) {
    return Stream.of(change.latest().meta().name(), "")
        .flatMap(name -> objects.by(GroupView.GROUPS_BY_CLASS, name).stream())
        .filter(group -> !group.isReady())
        .map(group -> group.meta().key());
  }

  private static Stream<ObjectKey> ofMember(Change<VolumeSnapshot> change, Snapshot objects) {
    return group(change.latest());
  }

  private static Stream<ObjectKey> group(VolumeSnapshot member) {
    return Membership.owner(member)
        .map(owner -> ObjectKey.of(member.meta().namespace(), owner.name()))
        .stream();
  }

  private static Stream<ObjectKey> ofMemberContent(
      Change<SnapshotContent> change, Snapshot objects) {
    return change.latest().meta().annotation(SnapshotAnnotations.GROUP_HANDLE).stream()
        .flatMap(handle -> objects.by(SnapshotIndexes.GROUP_CONTENTS_BY_HANDLE, handle).stream())
        .map(content -> content.snapshot().key());
  }

  /// Groups that are being taken of it, and the group that it is made from, if that is to go.
  private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    return Stream.concat(
        Stream.of(change.before(), change.after())
            .flatMap(Optional::stream)
            .flatMap(claim -> selecting(claim, objects))
            .distinct(),
        SnapshotIndexes.restored(change.latest())
            .flatMap(key -> objects.get(SnapshotKinds.SNAPSHOT, key).found())
            .stream()
            .flatMap(GroupKeeper::group));
  }

  private static Stream<ObjectKey> ofVolume(Change<Volume> change, Snapshot objects) {
    return Stream.of(change.before(), change.after())
        .flatMap(Optional::stream)
        .flatMap(volume -> volume.claim().stream())
        .flatMap(ref -> objects.get(Kinds.CLAIM, ref.key()).found().stream())
        .flatMap(claim -> selecting(claim, objects))
        .distinct();
  }

  private static Stream<ObjectKey> selecting(Claim claim, Snapshot objects) {
    return objects.by(GroupView.GROUPS_BY_NAMESPACE, claim.meta().namespace()).stream()
        .filter(group -> !group.isReady() && group.selects(claim.meta()))
        .map(GroupSnapshot::meta)
        .map(meta -> meta.key());
  }

  @Override
  public GroupView view(Facts facts, Instant now) {
    return new GroupView(facts, now);
  }

  @Override
  public Step decide(GroupView view, ObjectKey group) {
    return GroupDecision.decide(view, group);
  }

  @Override
  public Class<GroupEffect> effectType() {
    return GroupEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.GROUP_SNAPSHOT);
  }
}

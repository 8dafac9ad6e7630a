package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.Membership;
import dev.berth.controller.snapshot.SnapshotIndexes;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is seen of groups.
///
/// @param now time of the look
record GroupView(Snapshot objects, Instant now) {
  /// Snapshots by the uid of the group whose they are, in whatever version it is named (SNAP-77).
  static final Index<VolumeSnapshot> MEMBERS =
      new Index<>(
          SnapshotKinds.SNAPSHOT,
          "owning group",
          snapshot -> Membership.owner(snapshot).map(owner -> owner.uid()).stream().toList());

  /// Groups by namespace.
  static final Index<GroupSnapshot> GROUPS_BY_NAMESPACE =
      new Index<>(
          SnapshotKinds.GROUP_SNAPSHOT, "namespace", group -> List.of(group.meta().namespace()));

  /// Groups by their class; those that name none by the empty name.
  static final Index<GroupSnapshot> GROUPS_BY_CLASS =
      new Index<>(
          SnapshotKinds.GROUP_SNAPSHOT, "class", group -> List.of(group.className().orElse("")));

  /// Groups by the contents that they name, whether bound to them or not.
  static final Index<GroupSnapshot> GROUPS_BY_CONTENT =
      new Index<>(
          SnapshotKinds.GROUP_SNAPSHOT,
          "content",
          group ->
              Stream.concat(group.boundContent().stream(), group.contentName().stream())
                  .distinct()
                  .toList());

  private static final Index<Claim> CLAIMS_BY_NAMESPACE =
      new Index<>(Kinds.CLAIM, "namespace", claim -> List.of(claim.meta().namespace()));

  Lookup<GroupSnapshot> group(ObjectKey key) {
    return objects.get(SnapshotKinds.GROUP_SNAPSHOT, key);
  }

  Lookup<GroupContent> content(String name) {
    return objects.get(SnapshotKinds.GROUP_CONTENT, ObjectKey.cluster(name));
  }

  Lookup<SnapshotClass> groupClass(String name) {
    return objects.get(SnapshotKinds.GROUP_CLASS, ObjectKey.cluster(name));
  }

  /// Default classes of a driver.
  List<SnapshotClass> defaultClasses(String driver) {
    return objects.all(SnapshotKinds.GROUP_CLASS).stream()
        .filter(each -> each.isDefault() && each.driver().equals(driver))
        .toList();
  }

  /// Claims of which a group is to be taken, by name (SNAP-76: expressions count too).
  List<Claim> claims(GroupSnapshot group) {
    return objects.by(CLAIMS_BY_NAMESPACE, group.meta().namespace()).stream()
        .filter(claim -> group.selects(claim.meta()))
        .sorted(Comparator.comparing(claim -> claim.meta().name()))
        .toList();
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  /// The volume that a driver knows by a handle; empty: nobody can say which it is.
  Optional<Volume> volume(String driver, String handle) {
    var found = objects.by(Indexes.VOLUMES_BY_NAME, new VolumeName(driver, handle).toString());
    return found.size() == 1 ? found.stream().findFirst() : Optional.empty();
  }

  Lookup<VolumeSnapshot> snapshot(ObjectKey key) {
    return objects.get(SnapshotKinds.SNAPSHOT, key);
  }

  Lookup<SnapshotContent> memberContent(String name) {
    return objects.get(SnapshotKinds.CONTENT, ObjectKey.cluster(name));
  }

  /// Snapshots of the group, by name.
  List<VolumeSnapshot> members(GroupSnapshot group) {
    return objects.by(MEMBERS, group.meta().uid()).stream()
        .sorted(Comparator.comparing(member -> member.meta().name()))
        .toList();
  }

  /// A claim that is about to be made from the snapshot.
  Optional<Claim> restore(VolumeSnapshot snapshot) {
    return objects.by(SnapshotIndexes.RESTORES, snapshot.meta().key().toString()).stream()
        .findFirst();
  }

  /// The content that the group names, or that bears the name of one made for it.
  Optional<GroupContent> named(GroupSnapshot group) {
    return takings().named(group);
  }

  /// The content that is the group's.
  Optional<GroupContent> own(GroupSnapshot group) {
    return takings().own(group);
  }

  private Takings takings() {
    return new Takings(objects, true);
  }

  /// The claims that a group's content is to be taken of.
  List<Claim> sources(GroupContent content) {
    return content.volumeHandles().stream()
        .flatMap(List::stream)
        .flatMap(handle -> volume(content.driver(), handle).stream())
        .flatMap(volume -> volume.claim().stream())
        .flatMap(ref -> objects.get(Kinds.CLAIM, ref.key()).found().filter(ref::names).stream())
        .toList();
  }
}

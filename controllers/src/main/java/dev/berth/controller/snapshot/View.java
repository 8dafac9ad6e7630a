package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.NodeSelector;
import dev.berth.kube.model.Requirement;
import dev.berth.kube.model.Volume;
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
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the snapshot controller sees.
///
/// @param now time of the look
/// @param groups whether groups are read; else there are none
record View(Snapshot objects, Instant now, boolean groups) {
  /// Snapshots by their class; those that name none by the empty name.
  static final Index<VolumeSnapshot> SNAPSHOTS_BY_CLASS =
      new Index<>(
          SnapshotKinds.SNAPSHOT, "class", snapshot -> List.of(snapshot.className().orElse("")));

  /// Snapshots by the contents that they name, whether bound to them or not.
  static final Index<VolumeSnapshot> SNAPSHOTS_BY_CONTENT =
      new Index<>(
          SnapshotKinds.SNAPSHOT,
          "content",
          snapshot ->
              Stream.concat(snapshot.boundContent().stream(), snapshot.contentName().stream())
                  .distinct()
                  .toList());

  /// Snapshots by the name of their group, `namespace/name`.
  static final Index<VolumeSnapshot> SNAPSHOTS_BY_GROUP =
      new Index<>(
          SnapshotKinds.SNAPSHOT,
          "group",
          snapshot -> group(snapshot).map(ObjectKey::toString).stream().toList());

  /// Contents by the driver's name of their group.
  static final Index<SnapshotContent> CONTENTS_BY_GROUP =
      new Index<>(
          SnapshotKinds.CONTENT,
          "group handle",
          content -> content.shown().groupHandle().stream().toList());

  /// The group that a snapshot was taken with, as its status says.
  static Optional<ObjectKey> group(VolumeSnapshot snapshot) {
    return Optional.of(snapshot.shown().groupSnapshotName())
        .filter(name -> !name.isEmpty())
        .or(() -> Membership.owner(snapshot).map(owner -> owner.name()))
        .map(name -> ObjectKey.of(snapshot.meta().namespace(), name));
  }

  Lookup<VolumeSnapshot> snapshot(ObjectKey key) {
    return objects.get(SnapshotKinds.SNAPSHOT, key);
  }

  Lookup<SnapshotContent> content(String name) {
    return objects.get(SnapshotKinds.CONTENT, ObjectKey.cluster(name));
  }

  Lookup<SnapshotClass> snapshotClass(String name) {
    return objects.get(SnapshotKinds.CLASS, ObjectKey.cluster(name));
  }

  /// Default classes of a driver.
  List<SnapshotClass> defaultClasses(String driver) {
    return objects.all(SnapshotKinds.CLASS).stream()
        .filter(each -> each.isDefault() && each.driver().equals(driver))
        .toList();
  }

  Optional<GroupSnapshot> groupSnapshot(ObjectKey key) {
    return groups ? objects.get(SnapshotKinds.GROUP_SNAPSHOT, key).found() : Optional.empty();
  }

  Optional<GroupContent> groupContent(String handle) {
    return groups
        ? objects.by(SnapshotIndexes.GROUP_CONTENTS_BY_HANDLE, handle).stream().findFirst()
        : Optional.empty();
  }

  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  /// The nodes that a term may mean, found by a label where it asks for one: there may be
  /// thousands.
  Stream<Node> nodesOf(NodeSelector.Term term) {
    return term.expressions().stream()
        .filter(it -> it.operator() == Requirement.Operator.IN)
        .findFirst()
        .map(it ->
            it.values().stream()
                .flatMap(value ->
                    objects.by(Indexes.NODES_BY_LABEL, Indexes.label(it.key(), value)).stream()))
        .orElseGet(() -> objects.all(Kinds.NODE).stream());
  }

  /// A claim that is about to be made from the snapshot.
  Optional<Claim> restore(VolumeSnapshot snapshot) {
    return objects.by(SnapshotIndexes.RESTORES, snapshot.meta().key().toString()).stream()
        .findFirst();
  }

  /// The content that is the snapshot's.
  Optional<SnapshotContent> own(VolumeSnapshot snapshot) {
    return takings().own(snapshot);
  }

  Takings takings() {
    return new Takings(objects, groups);
  }
}

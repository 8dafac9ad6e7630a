package dev.berth.controller.snapshot.metric;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.util.Optional;

/// What is looked at of a snapshot or a group.
///
/// @param what `Snapshot` or `GroupSnapshot`, as upstream's names of operations end
/// @param taken whether the storage system has it
/// @param given whether it existed before its object
/// @param driver empty: nobody knows it yet
record Watched(
    String what, Meta meta, boolean taken, boolean ready, boolean given, Optional<String> driver) {

  static Watched of(VolumeSnapshot snapshot, Snapshot objects) {
    return new Watched(
        "Snapshot",
        snapshot.meta(),
        snapshot.shown().creationTime().isPresent(),
        snapshot.isReady(),
        snapshot.contentName().isPresent(),
        snapshot
            .boundContent()
            .or(snapshot::contentName)
            .flatMap(name -> objects.get(SnapshotKinds.CONTENT, ObjectKey.cluster(name)).found())
            .map(SnapshotContent::driver)
            .or(() ->
                snapshot
                    .className()
                    .flatMap(
                        name -> objects.get(SnapshotKinds.CLASS, ObjectKey.cluster(name)).found())
                    .map(SnapshotClass::driver)));
  }

  static Watched of(GroupSnapshot group, Snapshot objects) {
    return new Watched(
        "GroupSnapshot",
        group.meta(),
        group.shown().creationTime().isPresent(),
        group.isReady(),
        group.contentName().isPresent(),
        group
            .boundContent()
            .or(group::contentName)
            .flatMap(
                name -> objects.get(SnapshotKinds.GROUP_CONTENT, ObjectKey.cluster(name)).found())
            .map(GroupContent::driver)
            .or(() ->
                group
                    .className()
                    .flatMap(name ->
                        objects.get(SnapshotKinds.GROUP_CLASS, ObjectKey.cluster(name)).found())
                    .map(SnapshotClass::driver)));
  }

  String type() {
    return given ? "pre-provisioned" : "dynamic";
  }
}

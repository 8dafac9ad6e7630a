package dev.berth.controller.snapshot;

import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import java.util.List;
import java.util.Optional;

/// Second ways to find objects that snapshots depend on, for single ones and for groups.
public final class SnapshotIndexes {
  /// Group contents by the driver's name of the group.
  public static final Index<GroupContent> GROUP_CONTENTS_BY_HANDLE =
      new Index<>(
          SnapshotKinds.GROUP_CONTENT, "handle", content -> content.handle().stream().toList());

  /// Claims that are to be made from a snapshot and are not yet, by `namespace/name` of it
  /// (SNAP-83: in whatever namespace, by whichever field).
  public static final Index<Claim> RESTORES =
      new Index<>(
          Kinds.CLAIM,
          "snapshot being restored",
          claim ->
              claim.phase() == Claim.Phase.PENDING
                  ? restored(claim).map(ObjectKey::toString).stream().toList()
                  : List.of());

  /// The snapshot that a claim is made from.
  public static Optional<ObjectKey> restored(Claim claim) {
    return claim
        .dataSource()
        .filter(source -> source.group().equals(SnapshotResources.SNAPSHOTS.group()))
        .filter(source -> source.kind().equals(SnapshotResources.SNAPSHOTS.kind()))
        .map(source -> ObjectKey.of(source.namespace(), source.name()));
  }

  private SnapshotIndexes() {}
}

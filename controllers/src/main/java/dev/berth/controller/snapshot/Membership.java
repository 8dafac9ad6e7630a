package dev.berth.controller.snapshot;

import dev.berth.kube.object.Meta;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.util.Optional;

/// Whether a snapshot is one of a group: in whatever version of the group's kind its owner is named
/// (SNAP-77).
public final class Membership {
  private Membership() {}

  public static Optional<Meta.Owner> owner(VolumeSnapshot snapshot) {
    var group = SnapshotResources.GROUP_SNAPSHOTS;
    return snapshot.meta().owners().stream()
        .filter(owner -> owner.kind().equals(group.kind()))
        .filter(owner -> owner.apiVersion().startsWith(group.group() + "/"))
        .findFirst();
  }
}

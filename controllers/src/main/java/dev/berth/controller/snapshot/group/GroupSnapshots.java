package dev.berth.controller.snapshot.group;

import dev.berth.controller.Means;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.controller.snapshot.source.ClaimHolds;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;

/// What the snapshot-controller does about groups, unless its gate `CSIVolumeGroupSnapshot` is off
/// (SNAP-70). Where their definitions are not installed there is nothing to do.
public final class GroupSnapshots {
  /// What it may read beside [Snapshots#KINDS].
  public static final List<Kind<?>> KINDS = List.of(SnapshotKinds.GROUP_CLASS);

  private GroupSnapshots() {}

  /// All that it does, for who runs it alone.
  public static List<Concern<Means, ?, ?, ?>> concerns() {
    return List.of(groups(), contents());
  }

  /// Asks for contents, gives each volume its snapshot, lets go of what is deleted.
  public static Concern<Means, ObjectKey, ?, ?> groups() {
    return new Concern<>(Snapshots.ROLE, new GroupKeeper(), GroupSnapshots::effects);
  }

  /// Keeps contents that belong to a group.
  public static Concern<Means, ObjectKey, ?, ?> contents() {
    return new Concern<>(Snapshots.ROLE, new GroupContentKeeper(), GroupSnapshots::effects);
  }

  private static GroupEffects effects(Means means) {
    var holds = new ClaimHolds(means.api(), () -> new Takings(means.latest().get(), true));
    return new GroupEffects(means.api(), holds, means.events());
  }
}

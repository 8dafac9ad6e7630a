package dev.berth.kube.snapshot;

import dev.berth.kube.object.Kind;
import java.util.List;

/// The kinds of snapshots that decisions read. Where their definitions are not installed, there are
/// none.
public final class SnapshotKinds {
  public static final Kind<VolumeSnapshot> SNAPSHOT =
      new Kind<>(SnapshotResources.SNAPSHOTS, VolumeSnapshot::of);
  public static final Kind<SnapshotContent> CONTENT =
      new Kind<>(SnapshotResources.CONTENTS, SnapshotContent::of);
  public static final Kind<SnapshotClass> CLASS =
      new Kind<>(SnapshotResources.CLASSES, SnapshotClass::ofSnapshots);
  public static final Kind<GroupSnapshot> GROUP_SNAPSHOT =
      new Kind<>(SnapshotResources.GROUP_SNAPSHOTS, GroupSnapshot::of);
  public static final Kind<GroupContent> GROUP_CONTENT =
      new Kind<>(SnapshotResources.GROUP_CONTENTS, GroupContent::of);
  public static final Kind<SnapshotClass> GROUP_CLASS =
      new Kind<>(SnapshotResources.GROUP_CLASSES, SnapshotClass::ofGroups);

  /// All of them.
  public static final List<Kind<?>> ALL =
      List.of(SNAPSHOT, CONTENT, CLASS, GROUP_SNAPSHOT, GROUP_CONTENT, GROUP_CLASS);

  private SnapshotKinds() {}
}

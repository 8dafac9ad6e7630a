package dev.berth.kube.snapshot;

/// Finalizers of snapshots, as upstream spells them.
public final class SnapshotFinalizers {
  private static final String PREFIX = "snapshot.storage.kubernetes.io/";
  private static final String GROUP_PREFIX = "groupsnapshot.storage.kubernetes.io/";

  /// Content: the snapshot on the storage system goes first.
  public static final String CONTENT_BOUND = PREFIX + "volumesnapshotcontent-bound-protection";

  /// Snapshot: its content goes first.
  public static final String SNAPSHOT_BOUND = PREFIX + "volumesnapshot-bound-protection";

  /// Snapshot: a claim may be made from it.
  public static final String SNAPSHOT_AS_SOURCE = PREFIX + "volumesnapshot-as-source-protection";

  /// Snapshot: its group goes first.
  public static final String SNAPSHOT_IN_GROUP = PREFIX + "volumesnapshot-in-group-protection";

  /// Claim: a snapshot is being taken of it.
  public static final String CLAIM_AS_SOURCE = PREFIX + "pvc-as-source-protection";

  /// Group content: the group on the storage system goes first.
  public static final String GROUP_CONTENT_BOUND =
      GROUP_PREFIX + "volumegroupsnapshotcontent-bound-protection";

  /// Group snapshot: its content goes first.
  public static final String GROUP_SNAPSHOT_BOUND =
      GROUP_PREFIX + "volumegroupsnapshot-bound-protection";

  /// Snapshot: a claim is being made from it; the provisioner's.
  public static final String PROVISIONER_SOURCE =
      "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

  private SnapshotFinalizers() {}
}

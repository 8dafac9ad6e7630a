package dev.berth.kube.snapshot;

/// Annotation keys of snapshots, and the one label, as upstream spells them.
public final class SnapshotAnnotations {
  private static final String PREFIX = "snapshot.storage.kubernetes.io/";
  private static final String GROUP_PREFIX = "groupsnapshot.storage.kubernetes.io/";

  public static final String IS_DEFAULT_CLASS = PREFIX + "is-default-class";
  public static final String IS_DEFAULT_GROUP_CLASS = GROUP_PREFIX + "is-default-class";

  /// Content: the driver has been asked for the snapshot, and nobody knows what came of it.
  public static final String BEING_CREATED = PREFIX + "volumesnapshot-being-created";

  /// Content: its VolumeSnapshot goes, so that it may be deleted on the storage system.
  public static final String BEING_DELETED = PREFIX + "volumesnapshot-being-deleted";

  public static final String GROUP_BEING_CREATED =
      GROUP_PREFIX + "volumegroupsnapshot-being-created";
  public static final String GROUP_BEING_DELETED =
      GROUP_PREFIX + "volumegroupsnapshot-being-deleted";

  /// Content: Secret for creating and deleting; both keys always together.
  public static final String DELETION_SECRET_NAME = PREFIX + "deletion-secret-name";

  public static final String DELETION_SECRET_NAMESPACE = PREFIX + "deletion-secret-namespace";
  public static final String GROUP_DELETION_SECRET_NAME = GROUP_PREFIX + "deletion-secret-name";
  public static final String GROUP_DELETION_SECRET_NAMESPACE =
      GROUP_PREFIX + "deletion-secret-namespace";

  /// Content of one of a group: the driver's name for the group.
  public static final String GROUP_HANDLE =
      "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

  /// Content: an administrator lets volumes of another mode be made from it (SNAP-80).
  public static final String ALLOW_VOLUME_MODE_CHANGE = PREFIX + "allow-volume-mode-change";

  /// Label of a content: the node whose sidecar takes care of it (SNAP-81).
  public static final String MANAGED_BY = PREFIX + "managed-by";

  /// Value of the marks that say only that something goes on.
  public static final String YES = "yes";

  private SnapshotAnnotations() {}
}

package dev.berth.controller.snapshot.group;

/// Reasons of events about groups, as upstream spells them (SNAP-74).
final class GroupEvents {
  static final String CLASS_FAILED = "GetGroupSnapshotClassFailed";
  static final String DEFAULT_CLASS_FAILED = "SetDefaultGroupSnapshotClassFailed";
  static final String VALIDATION = "GroupSnapshotValidationError";
  static final String FINALIZER = "GroupSnapshotFinalizerError";
  static final String CONTENT_MISSING = "GroupSnapshotContentMissing";
  static final String CONTENT_MISMATCH = "GroupSnapshotContentMismatch";
  static final String CONTENT_MISBOUND = "GroupSnapshotContentMisbound";
  static final String MISBOUND = "GroupSnapshotMisbound";
  static final String CONTENT_FAILED = "GroupSnapshotContentCreationFailed";
  static final String CREATE_FAILED = "CreateGroupSnapshotContentFailed";
  static final String CREATING = "CreatingGroupSnapshot";
  static final String CREATED = "GroupSnapshotCreated";
  static final String READY = "GroupSnapshotReady";
  static final String DELETE_ERROR = "GroupSnapshotContentObjectDeleteError";
  static final String CONTENT_INVALID = "GroupContentValidationError";

  private GroupEvents() {}
}

package dev.berth.controller.snapshot;

/// Reasons of the snapshot controller's events, as upstream spells them.
final class SnapshotEvents {
  static final String CLASS_FAILED = "GetSnapshotClassFailed";
  static final String DEFAULT_CLASS_FAILED = "SetDefaultSnapshotClassFailed";
  static final String VALIDATION = "SnapshotValidationError";
  static final String FINALIZER = "SnapshotFinalizerError";
  static final String CONTENT_MISSING = "SnapshotContentMissing";
  static final String CONTENT_MISMATCH = "SnapshotContentMismatch";
  static final String CONTENT_MISBOUND = "SnapshotContentMisbound";
  static final String MISBOUND = "SnapshotMisbound";
  static final String CONTENT_FAILED = "SnapshotContentCreationFailed";
  static final String CREATE_FAILED = "CreateSnapshotContentFailed";
  static final String STATUS_FAILED = "SnapshotStatusUpdateFailed";
  static final String CREATING = "CreatingSnapshot";
  static final String CREATED = "SnapshotCreated";
  static final String READY = "SnapshotReady";
  static final String DELETE_ERROR = "SnapshotContentObjectDeleteError";
  static final String CONTENT_INVALID = "ContentValidationError";

  private SnapshotEvents() {}
}

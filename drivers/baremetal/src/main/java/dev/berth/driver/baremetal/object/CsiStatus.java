package dev.berth.driver.baremetal.object;

/// Where a volume stands for CSI (BM-20, BM-88).
public enum CsiStatus {
  /// Claims a drive, and is being prepared by its node.
  CREATING,
  CREATED,
  /// Staged.
  VOLUME_READY,
  PUBLISHED,
  /// To be wiped by its node.
  REMOVING,
  /// Wiped, or beyond reach; the object goes.
  REMOVED,
  FAILED;

  /// Whether this may follow (BM-88); to stay is allowed.
  public boolean mayBecome(CsiStatus next) {
    return next == this
        || switch (this) {
          case CREATING -> next == CREATED || next == FAILED || next == REMOVING;
          case CREATED -> next == VOLUME_READY || next == REMOVING || next == REMOVED;
          case VOLUME_READY -> next == CREATED || next == PUBLISHED;
          case PUBLISHED -> next == VOLUME_READY;
          case REMOVING -> next == REMOVED || next == FAILED;
          case FAILED -> next == REMOVING || next == REMOVED; // BM-103: there is a way out
          case REMOVED -> false;
        };
  }
}

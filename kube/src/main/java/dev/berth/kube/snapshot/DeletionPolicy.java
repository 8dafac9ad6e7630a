package dev.berth.kube.snapshot;

/// What becomes of a snapshot on the storage system when its VolumeSnapshot goes.
public enum DeletionPolicy {
  DELETE,
  RETAIN;

  /// As it is spelled.
  public String text() {
    return this == DELETE ? "Delete" : "Retain";
  }

  static DeletionPolicy of(String text) {
    return text.equals("Delete") ? DELETE : RETAIN;
  }
}

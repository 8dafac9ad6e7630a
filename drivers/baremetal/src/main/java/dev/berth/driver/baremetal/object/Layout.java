package dev.berth.driver.baremetal.object;

/// How a volume lies on its drive: `spec.Layout`.
public enum Layout {
  /// On the device itself, from its first byte to its last.
  DRIVE,
  /// In the one partition of the drive (BM-110).
  PARTITION,
  /// In a share of the drive, beside other volumes (BM-210).
  SHARE
}

package dev.berth.driver.baremetal.object;

/// Where a drive stands on its way out of service (BM-131).
public enum DriveUsage {
  IN_USE,
  RELEASING,
  RELEASED,
  REMOVING,
  REMOVED,
  FAILED
}

package dev.berth.driver.baremetal.object;

/// Where a volume stands while its drive leaves service (BM-20).
public enum VolumeUsage {
  IN_USE,
  RELEASING,
  RELEASED,
  FAILED
}

package dev.berth.driver.baremetal.object;

/// Whether the kernel has a drive: its field `Status` (BM-20).
public enum Presence {
  ONLINE,
  OFFLINE
}

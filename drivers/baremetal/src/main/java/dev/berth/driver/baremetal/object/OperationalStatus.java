package dev.berth.driver.baremetal.object;

/// Whether a volume can be worked with (BM-20).
public enum OperationalStatus {
  OPERATIVE,
  INOPERATIVE,
  STAGING,
  /// Its drive is not there (BM-72).
  MISSING,
  MAINTENANCE,
  UNKNOWN
}

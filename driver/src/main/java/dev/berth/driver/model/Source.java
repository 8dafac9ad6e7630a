package dev.berth.driver.model;

/// What a new volume is filled with.
public sealed interface Source {
  record OfSnapshot(String snapshotId) implements Source {}

  record OfVolume(String volumeId) implements Source {}
}

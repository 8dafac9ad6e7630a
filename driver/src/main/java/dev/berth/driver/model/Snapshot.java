package dev.berth.driver.model;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A volume as it was at one moment.
///
/// @param id given by the driver, at most 128 bytes, never used again
/// @param name the caller's name; empty: a member of a group
/// @param parameters of the snapshot class
/// @param sizeBytes smallest volume that it can be restored to; 0: unknown
/// @param cut the moment
/// @param ready whether it can be restored by now
/// @param groupId the group snapshot that it belongs to
public record Snapshot(
    String id,
    String name,
    String sourceVolumeId,
    Map<String, String> parameters,
    long sizeBytes,
    Instant cut,
    boolean ready,
    Optional<String> groupId) {
  public Snapshot {
    parameters = Map.copyOf(parameters);
  }
}

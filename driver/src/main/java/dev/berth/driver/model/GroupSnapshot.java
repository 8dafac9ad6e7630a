package dev.berth.driver.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Several volumes as they were at one and the same moment.
///
/// @param id given by the driver, at most 128 bytes, never used again
/// @param name the caller's name
/// @param members one for each volume
public record GroupSnapshot(
    String id, String name, Map<String, String> parameters, List<Snapshot> members, Instant cut) {
  public GroupSnapshot {
    parameters = Map.copyOf(parameters);
    members = List.copyOf(members);
  }

  public boolean ready() {
    return members.stream().allMatch(Snapshot::ready);
  }
}

package dev.berth.driver.model;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A volume as it was at one moment.
///
/// @param id given by the driver, at most 128 bytes, never used again
/// @param name the caller's name; empty: a member of a group
/// @param parameters of the snapshot class
/// @param kind of its volume; empty: its driver does not know, and nothing is refused for it
/// @param sizeBytes smallest volume that it can be restored to; 0: unknown
/// @param cut the moment
/// @param ready whether it can be restored by now
/// @param groupId the group snapshot that it belongs to
public record Snapshot(
    String id,
    String name,
    String sourceVolumeId,
    Map<String, String> parameters,
    Optional<Kind> kind,
    long sizeBytes,
    Instant cut,
    boolean ready,
    Optional<String> groupId) {
  /// What the volume was made as, and what is made from the snapshot has to be.
  public enum Kind {
    MOUNT,
    BLOCK;

    public static Kind of(VolumeRecipe recipe) {
      return recipe.block() ? BLOCK : MOUNT;
    }

    /// As a message says it.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Snapshot {
    parameters = Map.copyOf(parameters);
  }
}

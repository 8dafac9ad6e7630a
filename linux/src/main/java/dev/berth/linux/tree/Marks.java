package dev.berth.linux.tree;

import java.time.Instant;
import java.util.Map;

/// What a file has besides its content.
///
/// @param mode permission bits, with those for set-id and sticky; a link has none
/// @param user number of its owner, unsigned
/// @param group number of its group, unsigned
/// @param modified when its content was changed last
/// @param extended attributes by name, such as `security.capability`
public record Marks(int mode, int user, int group, Instant modified, Map<String, Bytes> extended) {
  /// The value of an attribute.
  ///
  /// @param hex digits, two for each byte
  public record Bytes(String hex) {}

  public Marks {
    if ((mode & ~07777) != 0)
      throw new IllegalArgumentException("%o is more than permissions".formatted(mode));
    extended = Map.copyOf(extended);
  }
}

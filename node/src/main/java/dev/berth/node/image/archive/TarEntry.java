package dev.berth.node.image.archive;

import java.time.Instant;
import java.util.Map;

/// One file of a tar archive. Names are bytes, one character each (ISO 8859-1), as they stand
/// there: anything.
///
/// @param offset of its content in the archive
/// @param size of its content in bytes, not below 0
/// @param target of a link
/// @param user number of its owner, likewise the group; as the kernel takes them, unsigned
/// @param attributes extended ones by name, the values likewise; [#CAPABILITY] alone is read
public record TarEntry(
    String name,
    Kind kind,
    long offset,
    long size,
    String target,
    int mode,
    int user,
    int group,
    Instant modified,
    Map<String, String> attributes) {
  /// What programs may do by their files.
  public static final String CAPABILITY = "security.capability";

  /// What it is.
  public enum Kind {
    FILE,
    HARD_LINK,
    LINK,
    DEVICE,
    FOLDER,
    PIPE
  }

  public TarEntry {
    attributes = Map.copyOf(attributes);
  }
}

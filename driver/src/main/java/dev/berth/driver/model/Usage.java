package dev.berth.driver.model;

import java.util.List;

/// How a volume is to be used: CSI's `VolumeCapability`.
public record Usage(Access access, AccessMode mode) {

  public boolean block() {
    return access instanceof Access.Block;
  }

  /// Mount options that the caller wishes; may hold secrets. Empty for a raw device.
  public List<String> mountFlags() {
    return switch (access) {
      case Access.Block _ -> List.of();
      case Access.Mount(_, var flags, _) -> flags;
    };
  }

  /// Whether a volume published for one of the two serves the other without any change: the same
  /// but for the order of mount flags (CTL-13).
  public boolean isSameAs(Usage other) {
    if (mode != other.mode) return false;
    return switch (access) {
      case Access.Block _ -> other.block();
      case Access.Mount mine ->
          other.access instanceof Access.Mount theirs
              && mine.fsType().equals(theirs.fsType())
              && KeptFlags.same(mine.flags(), theirs.flags())
              && mine.group().equals(theirs.group());
    };
  }

  /// What a driver writes down of it: [#isSameAs] tells of both the same, but the text of the mount
  /// flags is gone.
  public Usage kept() {
    return switch (access) {
      case Access.Block _ -> this;
      case Access.Mount(var type, var flags, var group) ->
          new Usage(new Access.Mount(type, KeptFlags.of(flags), group), mode);
    };
  }

  /// For people: `block, SINGLE_NODE_WRITER`.
  @Override
  public String toString() {
    return switch (access) {
      case Access.Block _ -> "block, " + mode;
      case Access.Mount(var type, _, _) ->
          "mount" + (type.isEmpty() ? "" : " as " + type) + ", " + mode;
    };
  }
}

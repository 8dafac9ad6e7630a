package dev.berth.driver.model;

import java.util.List;

/// As what a volume appears to its user.
public sealed interface Access {
  /// A raw block device.
  record Block() implements Access {}

  /// A directory with a file system.
  ///
  /// @param fsType such as `ext4`; empty: the driver's choice
  /// @param flags mount options; may hold secrets, so they are never told
  /// @param group id of the group that owns the files; empty: no wish
  record Mount(String fsType, List<String> flags, String group) implements Access {
    public Mount {
      flags = List.copyOf(flags);
    }

    @Override
    public String toString() {
      return "Mount[fsType=" + fsType + ", flags=" + flags.size() + ", group=" + group + "]";
    }
  }
}

package dev.berth.linux.mount;

import java.util.Arrays;
import java.util.Optional;

/// Flags that the kernel keeps itself for each mount, whatever the file system. Named as mount(8)
/// names them.
public enum MountFlag {
  RO("ro", 0x1, 0x1),
  NOSUID("nosuid", 0x2, 0x2),
  NODEV("nodev", 0x4, 0x4),
  NOEXEC("noexec", 0x8, 0x8),
  NOATIME("noatime", 0x400, 0x10),
  NODIRATIME("nodiratime", 0x800, 0x80),
  RELATIME("relatime", 0x200000, 0),
  STRICTATIME("strictatime", 0x1000000, 0x20),
  NOSYMFOLLOW("nosymfollow", 0x100, 0x200000),
  /// Of the file system, not of one view of it: no meaning in a bind.
  SYNC("sync", 0x10, 0),
  DIRSYNC("dirsync", 0x80, 0),
  LAZYTIME("lazytime", 0x2000000, 0);

  private final String word;
  private final long mountBit;
  private final long attribute;

  MountFlag(String word, long mountBit, long attribute) {
    this.word = word;
    this.mountBit = mountBit;
    this.attribute = attribute;
  }

  static Optional<MountFlag> named(String word) {
    return Arrays.stream(values()).filter(flag -> flag.word.equals(word)).findFirst();
  }

  public String word() {
    return word;
  }

  /// The bit of mount(2).
  long mountBit() {
    return mountBit;
  }

  /// The bits of mount_setattr(2).
  long attribute() {
    return attribute;
  }

  boolean isAccessTime() {
    return this == NOATIME || this == RELATIME || this == STRICTATIME;
  }

  boolean isOfTheFileSystem() {
    return this == SYNC || this == DIRSYNC || this == LAZYTIME;
  }
}

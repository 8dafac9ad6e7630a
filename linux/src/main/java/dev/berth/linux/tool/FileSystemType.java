package dev.berth.linux.tool;

import java.util.Arrays;
import java.util.Optional;

/// The file systems that Berth makes on block devices.
public enum FileSystemType {
  EXT4("ext4", "mkfs.ext4"),
  XFS("xfs", "mkfs.xfs"),
  BTRFS("btrfs", "mkfs.btrfs");

  private final String word;
  private final String maker;

  FileSystemType(String word, String maker) {
    this.word = word;
    this.maker = maker;
  }

  /// The type that goes by this name; empty: not one of ours.
  ///
  /// @param word as in `fs_type` and in mountinfo
  public static Optional<FileSystemType> named(String word) {
    return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
  }

  /// As mount(2), mountinfo and blkid call it.
  public String word() {
    return word;
  }

  /// The program that makes it.
  public String maker() {
    return maker;
  }
}

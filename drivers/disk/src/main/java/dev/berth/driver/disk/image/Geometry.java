package dev.berth.driver.disk.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;

/// What a superblock says of a file system's size.
///
/// Ext4 and XFS consist of groups of blocks. A last one that is too small to be of use is left out,
/// by those who make file systems as by those who grow them.
///
/// @param blockBytes bytes in a block
/// @param blocks that it has
/// @param first blocks in front of the first group
/// @param groupBlocks blocks in a group; 0: it has none
/// @param smallestGroup by the number of the last group, counted from 0, how many blocks it has at
///   least
record Geometry(
    long blockBytes, long blocks, long first, long groupBlocks, LongUnaryOperator smallestGroup) {
  private static final int EXT4 = 1024;
  private static final int LARGE = 0x80; // feature 64bit
  private static final int SPARSE = 1; // feature sparse_super

  /// Blocks that the last group of an ext4 has beside those with its own structures.
  private static final long EXT4_OF_USE = 50;

  /// XFS_MIN_AG_BLOCKS.
  private static final long XFS_LEAST = 64;

  long bytes() {
    return blocks * blockBytes;
  }

  /// How large it would come to be on a disk of so many bytes.
  long largestOn(long disk) {
    var all = disk / blockBytes;
    if (groupBlocks == 0 || all <= first) return all * blockBytes;
    var rest = (all - first) % groupBlocks;
    var last = (all - first) / groupBlocks;
    if (rest < smallestGroup.applyAsLong(last)) all -= rest;
    return all * blockBytes;
  }

  static boolean isExt4(byte[] start) {
    return little(start).getShort(EXT4 + 56) == (short) 0xEF53;
  }

  static Geometry ext4(byte[] start) {
    var superblock = little(start);
    var large = (superblock.getInt(EXT4 + 96) & LARGE) != 0;
    var high = large ? number(superblock, EXT4 + 0x150) << 32 : 0;
    var blockBytes = 1024L << superblock.getInt(EXT4 + 24);
    var blocks = high + number(superblock, EXT4 + 4);
    var groupBlocks = number(superblock, EXT4 + 32);
    var inodes =
        number(superblock, EXT4 + 40) * Short.toUnsignedLong(superblock.getShort(EXT4 + 88));
    var ownBlocks = 2 + (inodes + blockBytes - 1) / blockBytes;
    var descriptor = large ? Short.toUnsignedLong(superblock.getShort(EXT4 + 0xFE)) : 32;
    var groups = groupBlocks == 0 ? 0 : (blocks + groupBlocks - 1) / groupBlocks;
    var copies =
        1
            + (groups * descriptor + blockBytes - 1) / blockBytes
            + Short.toUnsignedLong(superblock.getShort(EXT4 + 0xCE));
    var sparse = (superblock.getInt(EXT4 + 100) & SPARSE) != 0;
    return new Geometry(
        blockBytes,
        blocks,
        number(superblock, EXT4 + 20),
        groupBlocks,
        last -> ownBlocks + EXT4_OF_USE + (!sparse || hasCopy(last) ? copies : 0));
  }

  /// Whether a group has a copy of the superblock and of all descriptors.
  private static boolean hasCopy(long group) {
    return group <= 1 || isPower(group, 3) || isPower(group, 5) || isPower(group, 7);
  }

  private static boolean isPower(long number, long base) {
    var rest = number;
    while (rest % base == 0) rest /= base;
    return rest == 1;
  }

  static Geometry xfs(byte[] start) {
    var superblock = ByteBuffer.wrap(start);
    return new Geometry(
        superblock.getInt(4),
        superblock.getLong(8),
        0,
        Integer.toUnsignedLong(superblock.getInt(84)),
        _ -> XFS_LEAST);
  }

  static Geometry btrfs(byte[] superblock) {
    return new Geometry(1, little(superblock).getLong(0x70), 0, 0, _ -> 0);
  }

  private static long number(ByteBuffer bytes, int offset) {
    return Integer.toUnsignedLong(bytes.getInt(offset));
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

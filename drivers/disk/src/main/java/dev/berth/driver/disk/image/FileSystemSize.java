package dev.berth.driver.disk.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;

/// How large the file system on a backing file is, read from its superblock. That of a mounted one
/// may lag behind by what the kernel has not written yet.
public final class FileSystemSize {
  /// What a file system leaves at the end because it fills no block.
  private static final long SLACK = 64 << 10;

  /// How large the file system on a backing file is, in bytes; empty: no ext4, XFS or btrfs.
  public static OptionalLong of(Path image) {
    try (var file = FileChannel.open(image)) {
      var start = read(file, 0, 1024 + 512);
      if (start.length < 1024 + 512) return OptionalLong.empty();
      if (text(start, 0, 4).equals("XFSB")) return OptionalLong.of(xfs(start));
      if (little(start).getShort(1024 + 56) == (short) 0xEF53) return OptionalLong.of(ext4(start));
      var btrfs = read(file, 64 << 10, 256);
      if (btrfs.length == 256 && text(btrfs, 0x40, 8).equals("_BHRfS_M"))
        return OptionalLong.of(little(btrfs).getLong(0x70));
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + image + ": " + e.getMessage(), e);
    }
  }

  /// Whether the file system is smaller than its disk.
  public static boolean isBehind(Path image) {
    var size = image.toFile().length();
    return of(image).orElse(size) < size - SLACK;
  }

  private static long xfs(byte[] start) {
    var superblock = ByteBuffer.wrap(start);
    return superblock.getInt(4) * superblock.getLong(8);
  }

  private static long ext4(byte[] start) {
    var superblock = little(start);
    var low = Integer.toUnsignedLong(superblock.getInt(1024 + 4));
    var large = (superblock.getInt(1024 + 96) & 0x80) != 0; // feature 64bit
    var high = large ? Integer.toUnsignedLong(superblock.getInt(1024 + 0x150)) << 32 : 0;
    return (high + low) << (10 + superblock.getInt(1024 + 24));
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String text(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.US_ASCII);
  }

  private static byte[] read(FileChannel file, long offset, int length) throws IOException {
    var buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {}
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private FileSystemSize() {}
}

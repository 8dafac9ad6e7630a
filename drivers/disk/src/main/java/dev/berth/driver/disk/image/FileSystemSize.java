package dev.berth.driver.disk.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// How large the file system on a backing file is, read from its superblock. That of a mounted one
/// may lag behind by what the kernel has not written yet.
public final class FileSystemSize {
  /// What a file system leaves at the end because it fills no block.
  private static final long SLACK = 64 << 10;

  /// How large the file system on a backing file is, in bytes; empty: no ext4, XFS or btrfs.
  public static OptionalLong of(Path image) {
    return geometry(image).map(it -> OptionalLong.of(it.bytes())).orElse(OptionalLong.empty());
  }

  /// Whether the file system is smaller than it would be if it were grown to its disk (CTL-22).
  public static boolean isBehind(Path image) {
    var size = image.toFile().length();
    return geometry(image).filter(it -> it.bytes() < it.largestOn(size) - SLACK).isPresent();
  }

  private static Optional<Geometry> geometry(Path image) {
    try (var file = FileChannel.open(image)) {
      var start = read(file, 0, 2048);
      if (start.length < 2048) return Optional.empty();
      if (text(start, 0, 4).equals("XFSB")) return Optional.of(Geometry.xfs(start));
      if (Geometry.isExt4(start)) return Optional.of(Geometry.ext4(start));
      var btrfs = read(file, 64 << 10, 256);
      return btrfs.length == 256 && text(btrfs, 0x40, 8).equals("_BHRfS_M")
          ? Optional.of(Geometry.btrfs(btrfs))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + image + ": " + e.getMessage(), e);
    }
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

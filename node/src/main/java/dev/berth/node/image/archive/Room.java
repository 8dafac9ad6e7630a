package dev.berth.node.image.archive;

import dev.berth.linux.file.Usage;
import java.nio.file.Path;

/// How much may be unpacked: no image, however small its file is, takes the last of the disk from
/// those that work on it.
///
/// Not thread-safe: one import has it.
public final class Room {
  /// Left alone: a tenth of the file system, at most this many bytes.
  private static final long RESERVE = 1L << 30;

  /// After so many bytes it is looked again: others write too.
  private static final long PIECE = 64L << 20;

  private final Path folder;
  private final long allowance;
  private long taken;
  private long untilNext;

  /// @param allowance most bytes, whatever the file system has
  public Room(Path folder, long allowance) {
    this.folder = folder;
    this.allowance = allowance;
  }

  /// Is told before so many bytes are unpacked, or copied.
  ///
  /// @throws BrokenImageException they do not fit
  public void take(long bytes) throws BrokenImageException {
    taken += bytes;
    if (taken > allowance) throw full();
    untilNext -= bytes;
    if (untilNext > 0) return;
    var usage = Usage.onThisThread(folder);
    long left = usage.available() - Math.min(RESERVE, usage.capacity() / 10);
    boolean crowded = usage.inodes() > 0 && usage.inodesFree() < usage.inodes() / 20;
    if (left <= bytes || crowded) throw full();
    untilNext = Math.min(PIECE, left - bytes);
  }

  private BrokenImageException full() {
    return new BrokenImageException(
        "the image unpacks to more than the disk of %s has: after %d MiB too little is left for others; make room there"
            .formatted(folder, taken >> 20));
  }
}

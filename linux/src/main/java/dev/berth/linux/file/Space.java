package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;

/// Blocks of a file: taken before they are written, and given back.
public final class Space {
  private static final long KEEP_SIZE = 1;
  private static final long KEEP_SIZE_AND_PUNCH = 3;

  private static final long UNSHARE = 0x40;

  /// A copy of that much ends well before the deadline of a call.
  private static final long PIECE = 256L << 20;

  private Space() {}

  /// Makes sure that writing the first `bytes` of a file cannot fail for want of space; the file is
  /// at least that long afterwards. What is written stays (SYS-21).
  public static void reserve(Path file, long bytes) {
    allocate("reserve " + bytes + " bytes for " + file, file, 0, 0, bytes);
  }

  /// [#reserve] without a change of the length that the file shows.
  public static void reserveBehind(Path file, long bytes) {
    allocate("reserve " + bytes + " bytes for " + file, file, KEEP_SIZE, 0, bytes);
  }

  /// Gives a file blocks of its own for what it shares with others in a range ([Reflink]), so that
  /// writing to any of them needs no more room. A hole there gets blocks too.
  ///
  /// @throws dev.berth.linux.sys.LinuxException `Failure.Unsupported` where nothing is shared, or
  ///   shared blocks stay so (btrfs)
  public static void unshare(Path file, long offset, long bytes) {
    var attempt = "unshare the blocks of " + file;
    for (var done = 0L; done < bytes; done += PIECE)
      allocate(attempt, file, UNSHARE, offset + done, Math.min(PIECE, bytes - done));
  }

  /// Gives back the blocks of a range, which reads as zeroes afterwards. The length stays.
  public static void punchHole(Path file, long offset, long bytes) {
    allocate("punch a hole into " + file, file, KEEP_SIZE_AND_PUNCH, offset, bytes);
  }

  private static void allocate(String attempt, Path file, long mode, long offset, long bytes) {
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(file, Descriptor.O_RDWR)) {
            SystemCall.FALLOCATE.orThrow(() -> attempt, open.number(), mode, offset, bytes);
          }
        });
  }
}

package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// How full a file system is. All sizes in bytes.
///
/// @param capacity size of the file system
/// @param free what is free, with the part that only root may use
/// @param available what an ordinary user may still use
/// @param inodes number of inodes; 0: this file system does not count them (btrfs)
/// @param inodesFree free ones among them
public record Usage(long capacity, long free, long available, long inodes, long inodesFree) {
  /// Asks the file system that holds `path`.
  public static Usage of(Path path) {
    return Blocking.call("statfs " + path, Blocking.LOOK, () -> onThisThread(path));
  }

  /// Bytes in use: what `df` shows.
  public long used() {
    return capacity - free;
  }

  public long inodesUsed() {
    return inodes - inodesFree;
  }

  /// [#of] without a deadline, for a file system on which the caller works in any case.
  public static Usage onThisThread(Path path) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(120, 8);
      SystemCall.STATFS.orThrow(
          () -> "statfs " + path, arena.allocateFrom(path.toString()).address(), buffer.address());
      long fragment = buffer.get(JAVA_LONG, 72);
      long block = fragment > 0 ? fragment : buffer.get(JAVA_LONG, 8);
      return new Usage(
          buffer.get(JAVA_LONG, 16) * block,
          buffer.get(JAVA_LONG, 24) * block,
          buffer.get(JAVA_LONG, 32) * block,
          buffer.get(JAVA_LONG, 40),
          buffer.get(JAVA_LONG, 48));
    }
  }
}

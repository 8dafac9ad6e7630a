package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;

/// Files that share their blocks until one of them is written to (XFS, btrfs).
public final class Reflink {
  private static final long FICLONE = 0x40049409;

  private Reflink() {}

  /// Gives `target` the content of `source`, as it is at one moment and without copying.
  ///
  /// @param target an existing file on the same file system; what it held is gone
  /// @return false: this file system cannot do it, and nothing was changed
  public static boolean tryClone(Path source, Path target) {
    var attempt = "clone " + source + " to " + target;
    return Blocking.callAlone( // what is cloned may be frozen, with callers who wait for the thaw
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var from = Descriptor.open(source, Descriptor.O_RDONLY);
              var to = Descriptor.open(target, Descriptor.O_RDWR)) {
            long result = SystemCall.IOCTL.invoke(to.number(), FICLONE, from.number());
            if (result >= 0) return true;
            return switch (Failure.of(result)) {
              case Failure.Unsupported _, Failure.Escapes _, Failure.Invalid _ -> false;
              case Failure other -> throw new LinuxException(attempt, other);
            };
          }
        },
        _ -> {});
  }
}

package dev.berth.linux.file;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;

/// The kernel's answer to whether a file is open: it grants a write lease only on one that nobody
/// else has open, in any process, name space or driver of its own.
public final class Lease {
  private static final long F_SETSIG = 10;
  private static final long F_SETLEASE = 1024;
  private static final long F_WRLCK = 1;

  /// Whoever opens the file while the lease is ours waits until it ends, and we are told by a
  /// signal. The usual one would end the process; this one is ignored by who does not ask for it.
  private static final long SIGURG = 23;

  private Lease() {}

  /// Whether a regular file is open nowhere at this moment. False also if that cannot be found out:
  /// there is no such file, it is not ours, its file system grants no leases.
  ///
  /// Without a deadline: for a file system on which the caller works in any case.
  public static boolean showsUnopened(Path file) {
    long opened =
        Descriptor.tryOpen(
            file, Descriptor.O_RDONLY | Descriptor.O_NOFOLLOW | Descriptor.O_NONBLOCK);
    if (opened < 0) return false;
    try (var open = new Descriptor(opened)) {
      return SystemCall.FCNTL.invoke(open.number(), F_SETSIG, SIGURG) >= 0
          && SystemCall.FCNTL.invoke(open.number(), F_SETLEASE, F_WRLCK) >= 0;
    }
  }
}

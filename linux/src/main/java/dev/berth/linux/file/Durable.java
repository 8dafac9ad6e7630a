package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// What survives a loss of power, and changes that are either there or not.
public final class Durable {
  private static final long RENAME_NOREPLACE = 1;

  private Durable() {}

  /// Puts a file or the entries of a directory on disk.
  public static void sync(Path path) {
    descriptorCall("sync " + path, path, SystemCall.FSYNC);
  }

  /// Puts everything of the file system that holds `path` on disk.
  public static void syncFileSystem(Path path) {
    descriptorCall("sync the file system of " + path, path, SystemCall.SYNCFS);
  }

  /// Renames, unless there is something at `target` already.
  ///
  /// @return whether it was renamed; false: `target` exists and is untouched
  public static boolean renameToNew(Path source, Path target) {
    var attempt = "rename " + source + " to " + target;
    return Blocking.call(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var arena = Arena.ofConfined()) {
            long result =
                SystemCall.RENAMEAT2.invoke(
                    SystemCall.AT_FDCWD,
                    arena.allocateFrom(source.toString()).address(),
                    SystemCall.AT_FDCWD,
                    arena.allocateFrom(target.toString()).address(),
                    RENAME_NOREPLACE);
            if (Errno.of(result) == Errno.EEXIST) return false;
            if (result < 0) throw new LinuxException(attempt, Failure.of(result));
            return true;
          }
        });
  }

  private static void descriptorCall(String attempt, Path path, SystemCall call) {
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(path, Descriptor.O_RDONLY)) {
            call.orThrow(() -> attempt, open.number());
          }
        });
  }
}

package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;

/// A lock that another process has on a file (fcntl(2)), such as those of Java's `FileChannel`. The
/// kernel forgets it with its process: unlike a note of a number it is never out of date.
///
/// @param pid of the process; 0: it is in another PID namespace, where this one cannot see it
/// @param exclusive whether it could write to the file; a lock to read asks for no such right
public record FileLock(int pid, boolean exclusive) {
  private static final long F_GETLK = 5;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;

  /// Offsets in `struct flock` of 64-bit machines.
  private static final long SIZE = 32;

  private static final long START = 8;
  private static final long LENGTH = 16;
  private static final long PID = 24;

  /// One that is in the way of who wants to lock the file for himself; empty: there is none. A
  /// process does not see its own, and loses them all by this look: the kernel drops them when any
  /// descriptor of the file is closed.
  ///
  /// @throws dev.berth.linux.sys.LinuxException `Failure.Missing`, `Failure.NotPermitted`
  public static Optional<FileLock> on(Path file) {
    var attempt = "see who has locked " + file;
    return Blocking.call(attempt, Blocking.LOOK, () -> look(attempt, file));
  }

  private static Optional<FileLock> look(String attempt, Path file) {
    try (var open = Descriptor.open(file, Descriptor.O_RDONLY | Descriptor.O_NONBLOCK);
        var arena = Arena.ofConfined()) {
      var lock = arena.allocate(SIZE, 8);
      lock.set(JAVA_SHORT, 0, F_WRLCK);
      lock.set(JAVA_LONG, START, 0);
      lock.set(JAVA_LONG, LENGTH, 0); // to the end, wherever that is
      SystemCall.FCNTL.orThrow(() -> attempt, open.number(), F_GETLK, lock.address());
      short type = lock.get(JAVA_SHORT, 0);
      return type == F_UNLCK
          ? Optional.empty()
          : Optional.of(new FileLock(lock.get(JAVA_INT, PID), type != F_RDLCK));
    }
  }
}

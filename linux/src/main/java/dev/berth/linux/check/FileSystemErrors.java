package dev.berth.linux.check;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;

/// Hears from the kernel at once that a file system has met an error (fanotify's FAN_FS_ERROR,
/// since Linux 5.16; ext4 tells it, others may): which error it was is asked of the file system
/// itself. Where the kernel or the rights are not enough, there is none of these, and looks find
/// out a little later.
final class FileSystemErrors implements AutoCloseable {
  private static final long FAN_CLOEXEC = 0x1;
  private static final long FAN_NONBLOCK = 0x2;
  private static final long FAN_REPORT_FID = 0x200;
  private static final long FAN_MARK_ADD = 0x1;
  private static final long FAN_MARK_FILESYSTEM = 0x100;
  private static final long FAN_FS_ERROR = 0x8000;
  private static final short POLLIN = 1;
  private static final int POLLFD_SIZE = 8;
  private static final int EVENTS = 4096;

  private final Descriptor group;
  private final Descriptor wake;
  private final OwnThread thread;
  private volatile boolean closed;

  private FileSystemErrors(Descriptor group, Descriptor wake, Runnable told) {
    this.group = group;
    this.wake = wake;
    this.thread = new OwnThread("file-system-errors", () -> hear(told));
  }

  /// @param told runs on a thread of its own after each error, several may be one; must not block
  /// @return empty: this kernel does not tell us
  static Optional<FileSystemErrors> open(Runnable told) {
    long group =
        SystemCall.FANOTIFY_INIT.invoke(
            FAN_REPORT_FID | FAN_CLOEXEC | FAN_NONBLOCK, Descriptor.O_RDONLY);
    if (group < 0) return Optional.empty();
    var opened = new Descriptor(group);
    try {
      long wake = SystemCall.EVENTFD2.orThrow(() -> "make an eventfd", 0, Descriptor.O_CLOEXEC);
      var errors = new FileSystemErrors(opened, new Descriptor(wake), told);
      errors.thread.start();
      return Optional.of(errors);
    } catch (LinuxException | OutOfMemoryError e) {
      opened.close();
      return Optional.empty();
    }
  }

  /// Hears of the file system that is mounted at `place` until it is unmounted everywhere. A second
  /// time does nothing.
  ///
  /// @return whether this file system tells
  boolean hear(Path place) {
    try (var arena = Arena.ofConfined()) {
      return SystemCall.FANOTIFY_MARK.invoke(
              group.number(),
              FAN_MARK_ADD | FAN_MARK_FILESYSTEM,
              FAN_FS_ERROR,
              SystemCall.AT_FDCWD,
              arena.allocateFrom(place.toString()).address())
          >= 0;
    }
  }

  private void hear(Runnable told) {
    try (group;
        wake;
        var arena = Arena.ofConfined()) {
      var list = arena.allocate(2 * POLLFD_SIZE, 8);
      list.set(JAVA_INT, 0, group.number());
      list.set(JAVA_SHORT, 4, POLLIN);
      list.set(JAVA_INT, POLLFD_SIZE, wake.number());
      list.set(JAVA_SHORT, POLLFD_SIZE + 4, POLLIN);
      var events = arena.allocate(EVENTS, 8);
      while (!closed) {
        SystemCall.PPOLL.orThrow(() -> "wait for errors of file systems", list.address(), 2, 0);
        if (closed) return;
        while (SystemCall.READ.invoke(group.number(), events.address(), EVENTS) > 0) {}
        told.run();
      }
    }
  }

  @Override
  public void close() {
    if (closed || !thread.isAlive()) return;
    closed = true;
    try (var arena = Arena.ofConfined()) {
      SystemCall.WRITE.invoke(wake.number(), arena.allocateFrom(JAVA_LONG, 1).address(), 8);
    }
  }
}

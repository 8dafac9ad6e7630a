package dev.berth.linux.sys;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// One open file, close-on-exec, with the one owner who closes it.
public final class Descriptor implements AutoCloseable {
  public static final long O_RDONLY = 0;
  public static final long O_RDWR = 2;
  public static final long O_NOCTTY = 0x100;
  public static final long O_NONBLOCK = 0x800;
  public static final long O_DIRECTORY = arm64() ? 0x4000 : 0x10000;
  public static final long O_NOFOLLOW = arm64() ? 0x8000 : 0x20000;
  public static final long O_CLOEXEC = 0x80000;
  public static final long O_PATH = 0x200000;

  private final int number;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /// Takes over a descriptor that a system call has just returned.
  public Descriptor(long number) {
    this.number = Math.toIntExact(number);
  }

  /// Opens `path`, close-on-exec. Blocks: call it inside [Blocking].
  public static Descriptor open(Path path, long flags) {
    long result = tryOpen(path, flags);
    if (result < 0) throw new LinuxException("open " + path, Failure.of(result));
    return new Descriptor(result);
  }

  /// Opens `path` or says why not.
  ///
  /// @return the descriptor's number or, below 0, the negated error number
  public static long tryOpen(Path path, long flags) {
    try (var arena = Arena.ofConfined()) {
      return SystemCall.OPENAT.invoke(
          SystemCall.AT_FDCWD, arena.allocateFrom(path.toString()).address(), flags | O_CLOEXEC, 0);
    }
  }

  public int number() {
    if (!open.get()) throw new IllegalStateException("descriptor " + number + " is closed");
    return number;
  }

  /// The open file as a path for this process, for java.nio and for system calls that want one.
  public Path asPath() {
    return Path.of("/proc/self/fd/" + number());
  }

  /// The name by which what is open is known at present; for telling people, and for going on by
  /// name where nobody else renames anything.
  public Path name() {
    try {
      return Files.readSymbolicLink(asPath());
    } catch (IOException broken) {
      throw new UncheckedIOException("read the name of descriptor " + number, broken);
    }
  }

  /// These two flags are other bits there.
  private static boolean arm64() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  /// Closes; a second time does nothing.
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) SystemCall.CLOSE.invoke(number);
  }
}

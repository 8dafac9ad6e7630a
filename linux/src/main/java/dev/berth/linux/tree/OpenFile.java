package dev.berth.linux.tree;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/// One file of any kind that is held, and so stays the same whatever happens at its path. A link is
/// held itself, a device or a pipe without being opened.
///
/// @param descriptor closed with this
record OpenFile(Descriptor descriptor) implements AutoCloseable {
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long SAME_OWNER = -1;
  private static final long RESOLVE_NO_XDEV = 0x01;
  private static final long RESOLVE_BENEATH = 0x08;

  /// Opens what is in a folder.
  ///
  /// @param name as the folder has it: bytes, in whatever encoding
  /// @throws LinuxException `Failure.Missing` if it is gone; `Failure.Escapes` if it is a mount
  OpenFile find(byte[] name, long flags) {
    try (var arena = Arena.ofConfined()) {
      var path = arena.allocate(name.length + 1L); // ends with a zero
      path.copyFrom(MemorySegment.ofArray(name));
      var how = arena.allocate(24, 8);
      how.set(JAVA_LONG, 0, flags | Descriptor.O_NOFOLLOW | Descriptor.O_CLOEXEC);
      how.set(JAVA_LONG, 16, RESOLVE_NO_XDEV | RESOLVE_BENEATH);
      long result =
          SystemCall.OPENAT2.invoke(
              descriptor.number(), path.address(), how.address(), how.byteSize());
      if (result < 0)
        throw new LinuxException(
            "open %s in %s".formatted(new String(name, StandardCharsets.UTF_8), this),
            Failure.of(result));
      return new OpenFile(new Descriptor(result));
    }
  }

  FileStatus status() {
    return FileStatus.onThisThread(descriptor);
  }

  /// Gives the file to a group.
  void give(int group) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.FCHOWNAT.orThrow(
          () -> "give %s to group %s".formatted(this, Integer.toUnsignedString(group)),
          descriptor.number(),
          arena.allocate(JAVA_BYTE).address(), // the empty path: the file itself
          SAME_OWNER,
          group,
          AT_EMPTY_PATH);
    }
  }

  /// Gives the file, which is no link, another mode.
  void change(int mode) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.FCHMODAT.orThrow(
          () -> "change the mode of %s to %o".formatted(this, mode),
          SystemCall.AT_FDCWD,
          arena.allocateFrom(descriptor.asPath().toString()).address(), // leads to this very file
          mode);
    }
  }

  @Override
  public void close() {
    descriptor.close();
  }

  /// Where it is now, for people.
  @Override
  public String toString() {
    try {
      return Files.readSymbolicLink(descriptor.asPath()).toString();
    } catch (IOException _) {
      return descriptor.asPath().toString();
    }
  }
}

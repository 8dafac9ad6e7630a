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
import java.time.Instant;

/// One file of any kind that is held, and so stays the same whatever happens at its path. A link is
/// held itself, a device or a pipe without being opened.
///
/// @param descriptor closed with this
record OpenFile(Descriptor descriptor) implements AutoCloseable {
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long SAME_OWNER = -1;
  private static final long RESOLVE_NO_XDEV = 0x01;
  private static final long RESOLVE_NO_SYMLINKS = 0x04;
  private static final long RESOLVE_BENEATH = 0x08;

  /// Opens what is in a folder.
  ///
  /// @param name as the folder has it: bytes, in whatever encoding
  /// @throws LinuxException `Failure.Missing` if it is gone; `Failure.Escapes` if it is a mount
  OpenFile find(byte[] name, long flags) {
    return opened(name, tryFind(name, flags, 0));
  }

  /// Opens what a folder itself is in.
  ///
  /// @param name `..`
  OpenFile above(byte[] name, long flags) {
    return opened(name, tryOpen(name, flags, 0, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS));
  }

  private OpenFile opened(byte[] name, long result) {
    if (result < 0)
      throw new LinuxException(
          "open %s in %s".formatted(new String(name, StandardCharsets.UTF_8), this),
          Failure.of(result));
    return new OpenFile(new Descriptor(result));
  }

  /// Opens what is below a folder, through no link and no mount.
  ///
  /// @param path bytes; its folders are below this one
  /// @param mode of a file that is made by this
  /// @return the descriptor's number or, below 0, the negated error number
  long tryFind(byte[] path, long flags, int mode) {
    return tryOpen(path, flags, mode, RESOLVE_NO_XDEV | RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
  }

  private long tryOpen(byte[] path, long flags, int mode, long resolve) {
    try (var arena = Arena.ofConfined()) {
      var how = arena.allocate(24, 8);
      how.set(JAVA_LONG, 0, flags | Descriptor.O_NOFOLLOW | Descriptor.O_CLOEXEC);
      how.set(JAVA_LONG, 8, mode);
      how.set(JAVA_LONG, 16, resolve);
      return SystemCall.OPENAT2.invoke(
          descriptor.number(), text(arena, path), how.address(), how.byteSize());
    }
  }

  /// Address of bytes that end with a zero.
  static long text(Arena arena, byte[] bytes) {
    var text = arena.allocate(bytes.length + 1L);
    text.copyFrom(MemorySegment.ofArray(bytes));
    return text.address();
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

  /// Gives the file to an owner and a group.
  void own(int user, int group) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.FCHOWNAT.orThrow(
          () -> "give %s to its owner".formatted(this),
          descriptor.number(),
          arena.allocate(JAVA_BYTE).address(),
          user,
          group,
          AT_EMPTY_PATH);
    }
  }

  /// Sets an extended attribute of the file, which is open for reading or writing.
  void extend(String name, byte[] value) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.FSETXATTR.orThrow(
          () -> "set the attribute %s of %s".formatted(name, this),
          descriptor.number(),
          arena.allocateFrom(name).address(),
          text(arena, value),
          value.length,
          0);
    }
  }

  /// Sets when the file was read last, and changed last.
  void touch(Instant time) {
    try (var arena = Arena.ofConfined()) {
      var times = arena.allocate(32, 8);
      for (int at = 0; at < 32; at += 16) {
        times.set(JAVA_LONG, at, time.getEpochSecond());
        times.set(JAVA_LONG, at + 8L, time.getNano());
      }
      SystemCall.UTIMENSAT.orThrow(
          () -> "set the time of %s".formatted(this),
          descriptor.number(),
          arena.allocate(JAVA_BYTE).address(),
          times.address(),
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

package dev.berth.linux.tree;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/// A folder that is being read, some names at a time: it may hold any number.
///
/// @param file the folder itself, opened for reading
/// @param read names that were read and not asked for yet
record OpenFolder(OpenFile file, Queue<byte[]> read) implements AutoCloseable {
  private static final long BUFFER = 32 * 1024;
  private static final long LENGTH = 16; // in `struct linux_dirent64`
  private static final long NAME = 19;
  private static final long SEEK_SET = 0;
  private static final long SEEK_CURRENT = 1;
  private static final byte[] SELF = {'.'};
  private static final byte[] ABOVE = {'.', '.'};

  /// A folder that is not held meanwhile, and is gone on with later.
  ///
  /// @param offset where in its names
  record Left(DeviceNumber device, long inode, long offset, Queue<byte[]> read) {}

  /// @param folder not a link
  static OpenFolder of(Path folder) {
    return new OpenFolder(
        new OpenFile(
            Descriptor.open(
                folder, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY | Descriptor.O_NOFOLLOW)),
        new ArrayDeque<>());
  }

  /// @param folder stays with the caller, who closes it
  static OpenFolder of(OpenFile folder) {
    return new OpenFolder(
        folder.find(SELF, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY), new ArrayDeque<>());
  }

  /// The folder that this one is in, where it was left: that very one.
  ///
  /// @throws LinuxException also if this one was moved to another since
  OpenFolder above(Left left) {
    var above = file.above(ABOVE, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY);
    try {
      var status = above.status();
      if (!status.device().equals(left.device) || status.inode() != left.inode)
        throw new LinuxException(
            "go on above " + file, new Failure.Invalid(Errno.ESTALE, "it was moved meanwhile"));
      SystemCall.LSEEK.orThrow(
          () -> "go on in " + above, above.descriptor().number(), left.offset, SEEK_SET);
      return new OpenFolder(above, left.read);
    } catch (LinuxException e) {
      above.close();
      throw e;
    }
  }

  /// Lets go of it.
  Left leave() {
    try (file) {
      var status = file.status();
      long offset =
          SystemCall.LSEEK.orThrow(
              () -> "leave " + file, file.descriptor().number(), 0, SEEK_CURRENT);
      return new Left(status.device(), status.inode(), offset, read);
    }
  }

  /// The next name, in no order; empty: there are no more.
  Optional<byte[]> next() {
    if (read.isEmpty()) readOn();
    return Optional.ofNullable(read.poll());
  }

  /// Takes hold of what has that name now.
  OpenFile find(byte[] name) {
    return file.find(name, Descriptor.O_PATH);
  }

  private void readOn() {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(BUFFER, 8);
      long length;
      do { // a whole buffer may hold nothing but the folder itself and its parent
        length =
            SystemCall.GETDENTS64.orThrow(
                () -> "list " + file, file.descriptor().number(), buffer.address(), BUFFER);
        take(buffer.asSlice(0, length));
      } while (read.isEmpty() && length > 0);
    }
  }

  private void take(MemorySegment entries) {
    for (long at = 0; at < entries.byteSize(); ) {
      long end = at + Short.toUnsignedInt(entries.get(JAVA_SHORT_UNALIGNED, at + LENGTH));
      var name = name(entries.asSlice(at + NAME, end - at - NAME));
      if (!isDots(name)) read.add(name);
      at = end;
    }
  }

  private static byte[] name(MemorySegment padded) {
    long length = 0;
    while (padded.get(JAVA_BYTE, length) != 0) length++;
    return padded.asSlice(0, length).toArray(JAVA_BYTE);
  }

  private static boolean isDots(byte[] name) {
    return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
  }

  @Override
  public void close() {
    file.close();
  }
}

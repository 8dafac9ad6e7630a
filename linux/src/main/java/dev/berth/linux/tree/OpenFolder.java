package dev.berth.linux.tree;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.berth.linux.sys.Descriptor;
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
  private static final byte[] SELF = {'.'};

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

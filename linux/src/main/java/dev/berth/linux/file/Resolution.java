package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;

/// How a path that starts at an open directory may be walked (openat2(2), kernel 5.6). Files that
/// the kernel shows as links, such as `/proc/self/fd/3`, are never walked through.
enum Resolution {
  /// What would lead out of the directory, and every link, is refused.
  BENEATH(0x08 | 0x04 | 0x02),
  /// As if the directory were `/`: links and `..` lead where they lead for whoever lives in it.
  IN_ROOT(0x10 | 0x02);

  /// The kernel gives up a walk over `..` while anything on the machine is renamed.
  private static final int TRIES = 1000;

  private final long bits;

  Resolution(long bits) {
    this.bits = bits;
  }

  /// On this thread.
  ///
  /// @return the number of the descriptor or, below 0, the negated error number
  long open(Descriptor directory, String path, long flags) {
    try (var arena = Arena.ofConfined()) {
      var how = arena.allocate(24, 8);
      how.set(JAVA_LONG, 0, flags | Descriptor.O_CLOEXEC);
      how.set(JAVA_LONG, 16, bits);
      var name = arena.allocateFrom(path);
      long result;
      int tries = 0;
      do {
        result =
            SystemCall.OPENAT2.invoke(
                directory.number(), name.address(), how.address(), how.byteSize());
      } while (Errno.of(result) == Errno.EAGAIN && ++tries < TRIES);
      return result;
    }
  }
}

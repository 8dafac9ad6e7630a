package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Opens paths that somebody else gave, relative to a directory of ours: `..`, a link anywhere in
/// the path, or an absolute path cannot lead out (openat2(2), kernel 5.6).
public final class Beneath {
  private static final long RESOLVE_NO_MAGICLINKS = 0x02;
  private static final long RESOLVE_NO_SYMLINKS = 0x04;
  private static final long RESOLVE_BENEATH = 0x08;

  private Beneath() {}

  /// Opens only the place, for looking at it or binding it ([Descriptor#asPath]).
  ///
  /// @param relative as given by others; empty: the root itself
  /// @throws LinuxException `Failure.Escapes` if the path would leave `root` or meets a link
  public static Descriptor find(Path root, String relative) {
    return open(root, relative, Descriptor.O_PATH);
  }

  /// Opens for reading.
  public static Descriptor read(Path root, String relative) {
    return open(root, relative, Descriptor.O_RDONLY);
  }

  private static Descriptor open(Path root, String relative, long flags) {
    var attempt = "open " + (relative.isEmpty() ? "." : relative) + " below " + root;
    return Blocking.call(
        attempt,
        Blocking.LOOK,
        () -> {
          try (var directory = Descriptor.open(root, Descriptor.O_PATH);
              var arena = Arena.ofConfined()) {
            var how = arena.allocate(24, 8);
            how.set(JAVA_LONG, 0, flags | Descriptor.O_CLOEXEC);
            how.set(JAVA_LONG, 16, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
            long result =
                SystemCall.OPENAT2.invoke(
                    directory.number(),
                    arena.allocateFrom(relative.isEmpty() ? "." : relative).address(),
                    how.address(),
                    how.byteSize());
            if (result < 0) throw new LinuxException(attempt, Failure.of(result));
            return new Descriptor(result);
          }
        },
        Descriptor::close);
  }
}

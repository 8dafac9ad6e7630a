package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;

/// Opens paths that somebody else gave, relative to a directory of ours: `..`, a link anywhere in
/// the path, or an absolute path cannot lead out.
public final class Beneath {
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
    var path = relative.isEmpty() ? "." : relative;
    var attempt = "open " + path + " below " + root;
    return Blocking.call(
        attempt,
        Blocking.LOOK,
        () -> {
          try (var directory = Descriptor.open(root, Descriptor.O_PATH)) {
            long result = Resolution.BENEATH.open(directory, path, flags);
            if (result < 0) throw new LinuxException(attempt, Failure.of(result));
            return new Descriptor(result);
          }
        },
        Descriptor::close);
  }
}

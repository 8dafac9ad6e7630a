package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where a file with holes holds data. Room that is only reserved is a hole too.
public final class Extents {
  private static final long SEEK_DATA = 3;
  private static final long SEEK_HOLE = 4;

  /// A run of data.
  ///
  /// @param length above 0
  public record Run(long offset, long length) {
    public long end() {
      return offset + length;
    }
  }

  private Extents() {}

  /// Whether the file holds any data.
  public static boolean any(Path file) {
    return !of(file, 0, 1).isEmpty();
  }

  /// All runs of data, in order.
  public static List<Run> of(Path file) {
    return of(file, 0, Integer.MAX_VALUE);
  }

  /// The first runs of data that end after `from`, in order.
  ///
  /// @param most how many at most
  public static List<Run> of(Path file, long from, int most) {
    var attempt = "look for data in " + file;
    return Blocking.callAlone( // as [Reflink#tryClone]
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(file, Descriptor.O_RDONLY)) {
            var runs = new ArrayList<Run>();
            long end = from;
            while (runs.size() < most) {
              var run = next(attempt, open, end);
              if (run.isEmpty()) break;
              runs.add(run.get());
              end = run.get().end();
            }
            return runs;
          }
        },
        _ -> {});
  }

  private static Optional<Run> next(String attempt, Descriptor file, long from) {
    long start = SystemCall.LSEEK.invoke(file.number(), from, SEEK_DATA);
    if (Errno.of(start) == Errno.ENXIO) return Optional.empty();
    if (start < 0) throw new LinuxException(attempt, Failure.of(start));
    long end = SystemCall.LSEEK.orThrow(() -> attempt, file.number(), start, SEEK_HOLE);
    return Optional.of(new Run(start, end - start));
  }
}

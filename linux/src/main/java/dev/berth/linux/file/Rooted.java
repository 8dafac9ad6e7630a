package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Paths inside a directory that is to become somebody's root: links and `..` lead where they will
/// lead for him, and never out (openat2(2), kernel 5.6). For trees that nobody else changes
/// meanwhile.
public final class Rooted {
  private static final long RESOLVE_IN_ROOT = 0x10;
  private static final int DIRECTORY_MODE = 0755;
  private static final int FILE_MODE = 0100644;

  private final Path root;

  public Rooted(Path root) {
    this.root = root;
  }

  /// Where `inside` really is; empty: there is nothing.
  public Optional<Path> find(String inside) {
    var attempt = "look for " + inside + " in " + root;
    return Blocking.call(attempt, Blocking.LOOK, () -> findHere(attempt, inside));
  }

  /// Where the directory `inside` really is, made with its parents (0755) if missing.
  public Path directory(String inside) {
    return find(inside).orElseGet(() -> make(inside, SystemCall.MKDIRAT, DIRECTORY_MODE));
  }

  /// Where the file `inside` really is, made empty (0644), with its parents, if missing.
  public Path file(String inside) {
    return find(inside).orElseGet(() -> make(inside, SystemCall.MKNODAT, FILE_MODE));
  }

  private Path make(String inside, SystemCall maker, int mode) {
    var attempt = "make " + inside + " in " + root;
    var path = Path.of("/" + inside).normalize();
    var parent = path.getParent();
    var name = path.getFileName();
    if (parent == null || name == null)
      throw new LinuxException(attempt, new Failure.Missing(Errno.ENOENT)); // the root itself
    var made = directory(parent.toString()).resolve(name);
    return Blocking.call(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var arena = Arena.ofConfined()) {
            maker.orThrow(
                () -> attempt,
                SystemCall.AT_FDCWD,
                arena.allocateFrom(made.toString()).address(),
                mode,
                0);
            return made;
          }
        });
  }

  private Optional<Path> findHere(String attempt, String inside) {
    try (var directory = Descriptor.open(root, Descriptor.O_PATH);
        var arena = Arena.ofConfined()) {
      var how = arena.allocate(24, 8);
      how.set(JAVA_LONG, 0, Descriptor.O_PATH | Descriptor.O_CLOEXEC);
      how.set(JAVA_LONG, 16, RESOLVE_IN_ROOT);
      long result =
          SystemCall.OPENAT2.invoke(
              directory.number(),
              arena.allocateFrom(inside).address(),
              how.address(),
              how.byteSize());
      if (Errno.of(result) == Errno.ENOENT) return Optional.empty();
      if (result < 0) throw new LinuxException(attempt, Failure.of(result));
      try (var found = new Descriptor(result)) {
        return Optional.of(Files.readSymbolicLink(found.asPath()));
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(attempt, broken);
    }
  }
}

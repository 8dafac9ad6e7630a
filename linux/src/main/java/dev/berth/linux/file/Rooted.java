package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;

/// Paths inside a directory that is to become somebody's root: links and `..` lead where they will
/// lead for him, and never out.
///
/// Others may change the tree meanwhile: what is opened stays what it was found to be, and what is
/// missing is made in the directory that was found, never looked up again by its name. A caller who
/// goes on by path instead ([#find], [#directory]) must know that nobody else changes the tree yet.
public final class Rooted {
  private final Path root;

  public Rooted(Path root) {
    this.root = root;
  }

  /// Opens only the place `inside`, for looking at it or mounting on it; empty: there is nothing.
  public Optional<Descriptor> open(String inside) {
    return Blocking.call(
        "look for " + inside + " in " + root,
        Blocking.LOOK,
        () -> {
          try (var top = Descriptor.open(root, Descriptor.O_PATH)) {
            return openHere(top, inside);
          }
        },
        late -> late.ifPresent(Descriptor::close));
  }

  /// Opens the place of the directory `inside`, made with its parents (0755) if missing.
  public Descriptor openDirectory(String inside) {
    return openOrMake(inside, Kind.DIRECTORY);
  }

  /// Opens the place of the file `inside`, made empty (0644), with its parents, if missing.
  public Descriptor openFile(String inside) {
    return openOrMake(inside, Kind.FILE);
  }

  /// Where `inside` really is; empty: there is nothing.
  public Optional<Path> find(String inside) {
    return open(inside).map(Rooted::nameAndClose);
  }

  /// Where the directory `inside` really is, made with its parents (0755) if missing.
  public Path directory(String inside) {
    return nameAndClose(openDirectory(inside));
  }

  private static Path nameAndClose(Descriptor place) {
    try (place) {
      return place.name();
    }
  }

  private Descriptor openOrMake(String inside, Kind kind) {
    return Blocking.call(
        making(inside),
        Blocking.CHANGE,
        () -> {
          try (var top = Descriptor.open(root, Descriptor.O_PATH)) {
            return openOrMakeHere(top, inside, kind);
          }
        },
        Descriptor::close);
  }

  private Descriptor openOrMakeHere(Descriptor top, String inside, Kind kind) {
    var found = openHere(top, inside);
    if (found.isPresent()) return found.get();
    var path = Path.of("/" + inside).normalize();
    var parent = path.getParent();
    var name = path.getFileName();
    if (parent == null || name == null)
      throw new LinuxException(making(inside), new Failure.Missing(Errno.ENOENT)); // the root
    try (var folder = openOrMakeHere(top, parent.toString(), Kind.DIRECTORY)) {
      return make(inside, folder, name.toString(), kind);
    }
  }

  /// If somebody else has made it by now, that will do, unless it is a link.
  private Descriptor make(String inside, Descriptor folder, String name, Kind kind) {
    try (var arena = Arena.ofConfined()) {
      long made =
          kind.maker.invoke(folder.number(), arena.allocateFrom(name).address(), kind.mode, 0);
      if (made < 0 && Errno.of(made) != Errno.EEXIST)
        throw new LinuxException(making(inside), Failure.of(made));
      long opened = Resolution.BENEATH.open(folder, name, Descriptor.O_PATH);
      if (opened < 0) throw new LinuxException(making(inside), Failure.of(opened));
      return new Descriptor(opened);
    }
  }

  private Optional<Descriptor> openHere(Descriptor top, String inside) {
    long result = Resolution.IN_ROOT.open(top, inside, Descriptor.O_PATH);
    if (Errno.of(result) == Errno.ENOENT) return Optional.empty();
    if (result < 0)
      throw new LinuxException("look for " + inside + " in " + root, Failure.of(result));
    return Optional.of(new Descriptor(result));
  }

  private String making(String inside) {
    return "make " + inside + " in " + root;
  }

  private enum Kind {
    DIRECTORY(SystemCall.MKDIRAT, 0755),
    FILE(SystemCall.MKNODAT, 0100644);

    private final SystemCall maker;
    private final int mode;

    Kind(SystemCall maker, int mode) {
      this.maker = maker;
      this.mode = mode;
    }
  }
}

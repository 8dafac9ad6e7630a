package dev.berth.linux.tree;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// A tree whose files are made as somebody else says: nothing is made or looked at outside of it,
/// whatever the names are, and no link is followed. It may be read by others, but is changed by
/// nobody else meanwhile.
///
/// A path is relative to the root, without empty parts; its characters stand for bytes, one each
/// (ISO 8859-1), as a file system takes any name. Blocks as long as the file system does, on the
/// caller's thread.
public final class NewTree implements AutoCloseable {
  private static final long O_WRONLY = 1;
  private static final long O_CREAT = 0x40;
  private static final long O_EXCL = 0x80;
  private static final int CHARACTER_DEVICE = 0x2000;
  private static final int PIPE = 0x1000;
  private static final int LONGEST_TARGET = 4096;
  private static final String OPAQUE = "trusted.overlay.opaque";

  private final OpenFile root;

  /// What a file is to hold.
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream file) throws IOException;
  }

  private NewTree(OpenFile root) {
    this.root = root;
  }

  /// @param folder that is there already, not a link
  public static NewTree in(Path folder) {
    return new NewTree(
        new OpenFile(
            Descriptor.open(
                folder, Descriptor.O_PATH | Descriptor.O_DIRECTORY | Descriptor.O_NOFOLLOW)));
  }

  /// What is there, itself and no link's target; empty: nothing, or a folder on the way is none.
  public Optional<FileStatus> find(String path) {
    long result = root.tryFind(bytes(path.isEmpty() ? "." : path), Descriptor.O_PATH, 0);
    switch (Errno.of(result)) {
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG -> {
        return Optional.empty();
      }
      default -> {
        if (result < 0) throw refused("look for", path, result);
      }
    }
    try (var file = new OpenFile(new Descriptor(result))) {
      return Optional.of(file.status());
    }
  }

  /// What is there, as another file could have it.
  public Marks marks(String path) {
    try (var file = open(path, Descriptor.O_PATH)) {
      var at = file.descriptor().asPath();
      return new Marks(
          (int) Files.getAttribute(at, "unix:mode") & 07777,
          (int) Files.getAttribute(at, "unix:uid"),
          (int) Files.getAttribute(at, "unix:gid"),
          Files.getLastModifiedTime(at).toInstant(),
          Map.of());
    } catch (IOException broken) {
      throw new UncheckedIOException("look at " + shown(path), broken);
    }
  }

  /// The path that a link says.
  public String target(String path) {
    try (var link = open(path, Descriptor.O_PATH);
        var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(LONGEST_TARGET);
      long length =
          SystemCall.READLINKAT.orThrow(
              () -> "read the link " + shown(path),
              link.descriptor().number(),
              arena.allocate(1).address(),
              buffer.address(),
              LONGEST_TARGET);
      return new String(buffer.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }
  }

  /// Opens a regular file for reading.
  public InputStream read(String path) throws IOException {
    try (var file = open(path, Descriptor.O_PATH)) {
      if (!file.status().isRegularFile()) throw new IOException(shown(path) + " is no file");
      return Files.newInputStream(file.descriptor().asPath());
    }
  }

  /// Makes a folder, or gives one that is there these marks.
  public void folder(String path, Marks marks) {
    try (var parent = parent(path);
        var arena = Arena.ofConfined()) {
      long made =
          SystemCall.MKDIRAT.invoke(
              parent.descriptor().number(), OpenFile.text(arena, bytes(name(path))), 0700);
      if (made < 0 && Errno.of(made) != Errno.EEXIST) throw refused("make", path, made);
    }
    try (var folder = open(path, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY)) {
      mark(folder, marks);
    }
  }

  /// Gives a folder the time that its making, and that of its files, has changed.
  public void touch(String path, Instant modified) {
    try (var file = open(path, Descriptor.O_PATH)) {
      file.touch(modified);
    }
  }

  /// Makes a regular file; nothing must be there.
  public void file(String path, Marks marks, Content content) throws IOException {
    long result = root.tryFind(bytes(path), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (result < 0) throw refused("make", path, result);
    try (var file = new OpenFile(new Descriptor(result))) {
      try (var out = Files.newOutputStream(file.descriptor().asPath(), StandardOpenOption.WRITE)) {
        content.writeTo(out);
      }
      mark(file, marks);
    }
  }

  /// Makes a symbolic link; nothing must be there.
  ///
  /// @param target whatever it says: nothing is looked for there
  public void link(String path, String target, Marks marks) {
    try (var parent = parent(path);
        var arena = Arena.ofConfined()) {
      orRefused(
          "make",
          path,
          SystemCall.SYMLINKAT.invoke(
              OpenFile.text(arena, bytes(target)),
              parent.descriptor().number(),
              OpenFile.text(arena, bytes(name(path)))));
    }
    try (var link = open(path, Descriptor.O_PATH)) {
      link.own(marks.user(), marks.group());
      link.touch(marks.modified());
    }
  }

  /// Makes another name for a file; nothing must be there.
  ///
  /// @param existing itself and no link's target
  public void hardLink(String path, String existing) {
    try (var from = parent(existing);
        var to = parent(path);
        var arena = Arena.ofConfined()) {
      orRefused(
          "make",
          path,
          SystemCall.LINKAT.invoke(
              from.descriptor().number(),
              OpenFile.text(arena, bytes(name(existing))),
              to.descriptor().number(),
              OpenFile.text(arena, bytes(name(path))),
              0));
    }
  }

  /// Makes a named pipe; nothing must be there.
  public void pipe(String path, Marks marks) {
    node(path, PIPE | 0600);
    try (var pipe = open(path, Descriptor.O_PATH)) {
      pipe.own(marks.user(), marks.group());
      pipe.change(marks.mode());
      pipe.touch(marks.modified());
    }
  }

  /// In an overlay, what lower layers have there is gone; nothing must be there.
  public void whiteOut(String path) {
    node(path, CHARACTER_DEVICE);
  }

  /// Whether that was said ([#whiteOut]).
  public static boolean isWhiteOut(FileStatus found) {
    return found.isCharacterDevice() && found.special().packed() == 0;
  }

  /// In an overlay, what lower layers have below that folder is gone.
  public void makeOpaque(String path) {
    try (var folder = open(path, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY)) {
      folder.extend(OPAQUE, new byte[] {'y'});
    }
  }

  /// Whether that was said ([#makeOpaque]).
  public boolean isOpaque(String path) {
    try (var folder = open(path, Descriptor.O_PATH | Descriptor.O_DIRECTORY);
        var arena = Arena.ofConfined()) {
      var value = arena.allocate(8);
      long length =
          SystemCall.GETXATTR.invoke(
              arena.allocateFrom(folder.descriptor().asPath().toString()).address(),
              arena.allocateFrom(OPAQUE).address(),
              value.address(),
              8);
      return length == 1 && value.get(JAVA_BYTE, 0) == 'y';
    }
  }

  /// Removes what is there, a folder with all that is in it.
  public void remove(String path) {
    try (var parent = parent(path)) {
      Removal.of(parent, bytes(name(path)));
    }
  }

  private void node(String path, long mode) {
    try (var parent = parent(path);
        var arena = Arena.ofConfined()) {
      orRefused(
          "make",
          path,
          SystemCall.MKNODAT.invoke(
              parent.descriptor().number(), OpenFile.text(arena, bytes(name(path))), mode, 0));
    }
  }

  /// In this order: a new owner takes set-id bits and capabilities away.
  private static void mark(OpenFile file, Marks marks) {
    file.own(marks.user(), marks.group());
    file.change(marks.mode());
    marks
        .extended()
        .forEach((name, value) -> file.extend(name, HexFormat.of().parseHex(value.hex())));
    file.touch(marks.modified());
  }

  private OpenFile open(String path, long flags) {
    return root.find(bytes(path.isEmpty() ? "." : path), flags);
  }

  private OpenFile parent(String path) {
    int slash = path.lastIndexOf('/');
    return open(
        slash < 0 ? "" : path.substring(0, slash), Descriptor.O_PATH | Descriptor.O_DIRECTORY);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static byte[] bytes(String path) {
    return path.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void orRefused(String what, String path, long result) {
    if (result < 0) throw refused(what, path, result);
  }

  private static LinuxException refused(String what, String path, long result) {
    return new LinuxException(what + " " + shown(path), Failure.of(result));
  }

  /// As people read it.
  public static String shown(String path) {
    return new String(bytes(path), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    root.close();
  }
}

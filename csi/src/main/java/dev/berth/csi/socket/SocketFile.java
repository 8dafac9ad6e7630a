package dev.berth.csi.socket;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// A socket's name in the file system, while it is ours.
///
/// The socket is bound under a hidden name, gets its mode and is then renamed: whoever finds it
/// under its own name may connect.
final class SocketFile {
  private final Path path;
  private final Object identity;

  private SocketFile(Path path, Object identity) {
    this.path = path;
    this.identity = identity;
  }

  /// Where to bind. As long as `path`, so that it fits where `path` fits, and another for each
  /// `path` with one ending: the first letter stands at the end, and a dot in its place. Where that
  /// leaves too little of the name, or where the name is hidden itself, it stands between a dot and
  /// an end that nobody else has.
  static Path hidden(SocketPath path) {
    var name = path.path().getFileName().toString();
    if (name.startsWith(".") || name.codePointCount(0, name.length()) < 3)
      return path.path().resolveSibling("." + name + ".~");
    int second = name.offsetByCodePoints(0, 1);
    var first = name.substring(0, second);
    var rest = name.substring(second, name.offsetByCodePoints(name.length(), -1));
    return path.path().resolveSibling("." + rest + first);
  }

  /// Makes sure that the name is free: nothing there, or a socket that nobody serves.
  static void claim(SocketPath socket, Takeover takeover) throws IOException {
    var path = socket.path();
    var parent = path.getParent();
    if (parent != null && !Files.isDirectory(parent))
      Files.createDirectories(
          parent,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    clear(path, takeover);
    clear(hidden(socket), takeover);
  }

  /// Moves the bound socket from its hidden name to its own.
  static SocketFile publish(SocketPath socket, SocketAccess access) throws IOException {
    var hidden = hidden(socket);
    access.set(hidden);
    var identity = identity(hidden);
    if (identity == null) throw new NoSuchFileException(hidden.toString());
    Files.move(hidden, socket.path(), StandardCopyOption.ATOMIC_MOVE);
    return new SocketFile(socket.path(), identity);
  }

  /// Removes the name unless somebody else has it by now (UDS-05).
  void removeIfOurs() throws IOException {
    if (identity.equals(identity(path))) Files.deleteIfExists(path);
  }

  private static void clear(Path path, Takeover takeover) throws IOException {
    if (identity(path) == null) return;
    if (!isSocket(path))
      throw new SocketInUseException(
          "%s exists and is not a socket; remove it or choose another path".formatted(path));
    if (isServed(path)) {
      if (takeover == Takeover.ALWAYS) return;
      throw new SocketInUseException(
          "%s is served by another process; stop it first".formatted(path));
    }
    Files.deleteIfExists(path);
  }

  private static boolean isSocket(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther();
  }

  private static boolean isServed(Path path) throws IOException {
    try (var _ = SocketChannel.open(new SocketPath(path).address())) {
      return true;
    } catch (ConnectException _) {
      return false;
    } catch (SocketException gone) {
      // The JDK tells "no such file" and "refused" by this type too.
      if (identity(path) == null || "Connection refused".equals(gone.getMessage())) return false;
      throw gone;
    }
  }

  /// Device and inode; null if nothing is there.
  private static @Nullable Object identity(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (NoSuchFileException _) {
      return null;
    }
  }
}

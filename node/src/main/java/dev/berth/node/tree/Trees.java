package dev.berth.node.tree;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes trees of files that are ours. Follows no link and leaves no file system; the caller has
/// seen that nothing is mounted below.
public final class Trees {
  private Trees() {}

  /// Deletes the folder with all that is in it, if it is there.
  ///
  /// @throws IOException if something in it is on another file system: from there on up it stays
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) return;
    var device = device(root);
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (!device(directory).equals(device)) throw elsewhere(directory);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed)
              throws IOException {
            if (failed != null) throw failed;
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /// Deletes empty directories only, deepest first; a file anywhere below stops it, and so does
  /// another file system (NCLN-03, NCLN-04).
  public static void deleteEmpty(Path root) throws IOException {
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) deleteEmpty(root, device(root));
  }

  private static void deleteEmpty(Path root, Object device) throws IOException {
    if (!device(root).equals(device)) throw elsewhere(root);
    try (var entries = Files.newDirectoryStream(root)) {
      for (var entry : entries) {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          throw new IOException(
              entry + " is in the way: not a directory; nothing was removed there");
        deleteEmpty(entry, device);
      }
    } catch (NoSuchFileException _) {
      return;
    }
    Files.delete(root);
  }

  private static IOException elsewhere(Path directory) {
    return new IOException(directory + " is on another file system; nothing was removed there");
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
  }
}

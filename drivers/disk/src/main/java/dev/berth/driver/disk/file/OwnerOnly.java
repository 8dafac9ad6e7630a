package dev.berth.driver.disk.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/// Files and folders that nobody but their owner can open: what is in a pool is what users of
/// volumes have written.
public final class OwnerOnly {
  /// For a file that is made.
  public static final FileAttribute<Set<PosixFilePermission>> FILE = attribute("rw-------");

  /// For a folder that is made.
  static final FileAttribute<Set<PosixFilePermission>> FOLDER = attribute("rwx------");

  /// Makes an empty file if there is none.
  public static void makeFile(Path file) throws IOException {
    try {
      Files.createFile(file, FILE);
    } catch (FileAlreadyExistsException _) {
      // Whoever made it has made it so.
    }
  }

  /// Makes a folder if there is none.
  public static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, FOLDER);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) throw e;
    }
  }

  /// Closes a folder, and what is in these parts of it, to others. The folder comes last: one that
  /// is closed has been gone through to its end.
  public static void close(Path folder, List<String> parts) throws IOException {
    if (Files.getPosixFilePermissions(folder).equals(FOLDER.value())) return;
    for (var part : parts)
      if (Files.exists(folder.resolve(part))) Files.walkFileTree(folder.resolve(part), new Close());
    Files.setPosixFilePermissions(folder, FOLDER.value());
  }

  /// Others may take files away meanwhile.
  private static final class Close extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      return set(folder, FOLDER);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      return attributes.isRegularFile() ? set(file, FILE) : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
      throw e;
    }

    private static FileVisitResult set(
        Path place, FileAttribute<Set<PosixFilePermission>> permissions) throws IOException {
      try {
        Files.setPosixFilePermissions(place, permissions.value());
      } catch (NoSuchFileException _) {
        // It needs none any more.
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  private OwnerOnly() {}
}

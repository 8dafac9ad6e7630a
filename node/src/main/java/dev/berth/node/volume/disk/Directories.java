package dev.berth.node.volume.disk;

import dev.berth.linux.mount.Mounts;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.VolumeFiles.StillMountedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// Makes and removes directories the way that is safe near mounts (NCLN-01).
public final class Directories {
  private final Mounts mounts;

  public Directories(Mounts mounts) {
    this.mounts = mounts;
  }

  /// The root, free of links: mounts are told apart by the paths that the kernel knows them by.
  ///
  /// @throws IllegalArgumentException if the root leads through a link
  public static Layout real(Layout layout) throws IOException {
    Files.createDirectories(layout.root());
    var real = layout.root().toRealPath();
    if (!real.equals(layout.root()))
      throw new IllegalArgumentException(
          "node root %s leads through a link; use %s".formatted(layout.root(), real));
    return layout;
  }

  /// Makes the directory and those above it, for root and its group only.
  public void make(Path directory) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
  }

  /// Removes an empty directory, if it is there.
  ///
  /// @throws StillMountedException if it is a mount point, also one whose server is dead
  /// @throws java.nio.file.DirectoryNotEmptyException if something is in it: whose it is, is not
  ///   for us to say
  public void remove(Path directory) throws IOException {
    switch (mounts.state(directory)) {
      case MISSING -> {}
      case NOT_MOUNTED -> Files.deleteIfExists(directory);
      case MOUNTED, CORRUPTED -> throw new StillMountedException(directory);
    }
  }

  /// Entries of a directory, in order; none if it is not there.
  public static List<Path> entries(Path directory) throws IOException {
    var entries = new ArrayList<Path>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    }
    entries.sort(null);
    return entries;
  }
}

package dev.berth.driver.disk.node;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The group that a volume's files belong to (CAP-07). None of our file systems takes it as a mount
/// option, so it is written into them: folders hand it on to what is made in them.
///
/// @param id of the group
record MountGroup(int id) {
  private static final int FOLDER = 02070;
  private static final int FILE = 0060;

  /// @throws Refusal INVALID if it is not the number of a group
  static Optional<MountGroup> of(Access.Mount access) {
    if (access.group().isEmpty()) return Optional.empty();
    try {
      var id = Integer.parseInt(access.group());
      if (id >= 0) return Optional.of(new MountGroup(id));
    } catch (NumberFormatException _) {
      // Told below, like a negative number.
    }
    throw Refusal.invalid(
        "volume_mount_group is %s; use the number of a group".formatted(access.group()));
  }

  /// Hands over all files, unless the root shows that it has been done. The root comes last: who is
  /// cut off begins again.
  void own(Path root) {
    try {
      if (isOwned(root)) return;
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              hand(file, attributes, FILE);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
              if (failure != null) throw failure;
              hand(folder, Files.readAttributes(folder, BasicFileAttributes.class), FOLDER);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot hand the files below %s to group %d: %s".formatted(root, id, e.getMessage()), e);
    }
  }

  private boolean isOwned(Path root) throws IOException {
    return group(root) == id && (mode(root) & FOLDER) == FOLDER;
  }

  private void hand(Path file, BasicFileAttributes attributes, int bits) throws IOException {
    Files.setAttribute(file, "unix:gid", id, LinkOption.NOFOLLOW_LINKS);
    if (attributes.isRegularFile() || attributes.isDirectory())
      Files.setAttribute(file, "unix:mode", mode(file) | bits, LinkOption.NOFOLLOW_LINKS);
  }

  private static int group(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS);
  }

  private static int mode(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
  }
}

package dev.berth.node.volume.disk;

import dev.berth.node.volume.FsGroup;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives all files of a volume to a group (NCSI-14). Depth first and the root last, so that a root
/// that is right shows that the whole is.
final class Ownership {
  private static final Logger log = LoggerFactory.getLogger(Ownership.class);
  private static final int READ_WRITE = 0660;
  private static final int SEARCH = 0110;
  private static final int SET_GID = 02000;
  private static final int PERMISSIONS = 07777;

  private final FsGroup group;

  Ownership(FsGroup group) {
    this.group = group;
  }

  void give(Path root) throws IOException {
    if (group.onRootMismatch() && isRight(root)) return;
    var device = Files.getAttribute(root, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            var own = Files.getAttribute(directory, "unix:dev", LinkOption.NOFOLLOW_LINKS);
            return own.equals(device) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            change(file, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failed)
              throws IOException {
            if (failed != null) throw failed;
            change(directory, Files.readAttributes(directory, BasicFileAttributes.class));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private boolean isRight(Path root) throws IOException {
    int wanted = READ_WRITE | SEARCH | SET_GID;
    return gid(root) == group.gid() && (mode(root) & wanted) == wanted;
  }

  /// What cannot be changed is told in the log only: the volume may hold files of others.
  private void change(Path file, BasicFileAttributes attributes) {
    try {
      if (gid(file) != group.gid())
        Files.setAttribute(file, "unix:gid", (int) group.gid(), LinkOption.NOFOLLOW_LINKS);
      if (attributes.isSymbolicLink()) return;
      int before = mode(file);
      int after = before | READ_WRITE | (attributes.isDirectory() ? SEARCH | SET_GID : 0);
      if (after != before) Files.setAttribute(file, "unix:mode", after, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException _) {
      // deleted while we walked
    } catch (IOException refused) {
      log.warn("{} was not given to group {}: {}", file, group.gid(), refused.toString());
    }
  }

  private static int gid(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS);
  }

  private static int mode(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & PERMISSIONS;
  }
}

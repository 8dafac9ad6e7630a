package dev.berth.node.volume.disk;

import dev.berth.linux.file.Beneath;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.layout.Layout;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Parts of volumes, each bound to a place of its own before a container may see it (section 12).
///
/// Whoever writes to the volume chooses what is in it, links included, also while we look. So every
/// path is opened from the volume's root without following a link, and what was opened is what is
/// bound (NSUB-03).
public final class SubPaths {
  private final Layout layout;
  private final Mounts mounts;
  private final Directories directories;

  public SubPaths(Layout layout, Mounts mounts) {
    this.layout = layout;
    this.mounts = mounts;
    this.directories = new Directories(mounts);
  }

  /// Binds `subPath` of the volume at `root` for one entry of a container's `volumeMounts`, in the
  /// place of what was bound for it before. What is missing becomes a directory (NSUB-02).
  ///
  /// @param spec what the volume's directories are named after
  /// @param index of the entry
  /// @return where it is bound
  /// @throws IOException if the path leads out of the volume (NSUB-01)
  public Path bind(
      String podUid, String spec, String container, int index, Path root, String subPath)
      throws IOException {
    directories.make(layout.subPaths(podUid, spec, container));
    var target = layout.subPath(podUid, spec, container, index);
    try (var part = open(root, subPath)) {
      remove(target);
      make(target, part);
      try {
        mounts.bind(part.asPath(), target, Depth.ONE, MountOptions.NONE);
      } catch (LinuxException refused) {
        remove(target);
        throw refused;
      }
    }
    return target;
  }

  /// Unmounts and removes all parts of a volume that a pod has (NSUB-05). Does not look into the
  /// volume: it may be gone.
  public void remove(String podUid, String spec) throws IOException {
    for (var container : Directories.entries(layout.subPaths(podUid, spec))) {
      for (var part : Directories.entries(container)) remove(part);
      directories.remove(container);
    }
    directories.remove(layout.subPaths(podUid, spec));
    try {
      directories.remove(layout.subPaths(podUid));
    } catch (DirectoryNotEmptyException _) {
      // other volumes have parts too
    }
  }

  private Descriptor open(Path root, String subPath) throws IOException {
    var path = Path.of(subPath);
    if (path.isAbsolute())
      throw new IOException("subPath \"%s\" must not be an absolute path".formatted(subPath));
    for (var element : path)
      if (element.toString().equals(".."))
        throw new IOException("subPath \"%s\" must not contain '..'".formatted(subPath));
    try {
      return Beneath.find(root, path.toString());
    } catch (LinuxException refused) {
      return switch (refused.failure()) {
        case Failure.Missing _ -> create(root, path);
        case Failure.Escapes _ -> throughLinks(root, path);
        default -> throw refused;
      };
    }
  }

  /// Links inside a volume may be used as long as they end inside it: each key of a ConfigMap is
  /// one. They are resolved once and then forgotten.
  private static Descriptor throughLinks(Path root, Path path) throws IOException {
    var inside = root.toRealPath();
    var real = root.resolve(path).toRealPath();
    if (!real.startsWith(inside))
      throw new IOException("subPath \"%s\" leads out of its volume".formatted(path));
    return Beneath.find(root, inside.relativize(real).toString());
  }

  /// Makes the missing directories, each with the permissions of the volume's root.
  private static Descriptor create(Path root, Path path) throws IOException {
    var mode = Files.getAttribute(root, "unix:mode");
    for (int length = 1; length <= path.getNameCount(); length++) {
      var parent = length == 1 ? "" : path.subpath(0, length - 1).toString();
      try (var directory = Beneath.find(root, parent)) {
        var made = directory.asPath().resolve(path.getName(length - 1));
        try {
          Files.createDirectory(made);
          Files.setAttribute(made, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
        } catch (FileAlreadyExistsException _) {
          // as it is
        }
      }
    }
    return Beneath.find(root, path.toString());
  }

  private void make(Path target, Descriptor part) throws IOException {
    if (Files.isDirectory(part.asPath())) directories.make(target);
    else Files.createFile(target);
  }

  private void remove(Path target) throws IOException {
    switch (mounts.state(target)) {
      case MISSING -> {
        return;
      }
      case NOT_MOUNTED -> {}
      case MOUNTED -> mounts.unmount(target, Unmount.IF_UNUSED);
      case CORRUPTED -> mounts.unmount(target, Unmount.LAZY); // its server is dead (NCLN-07)
    }
    Files.deleteIfExists(target);
  }
}

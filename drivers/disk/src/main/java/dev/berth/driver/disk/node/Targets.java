package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// The folders and files on which something is mounted (NOD-12, NOD-16).
///
/// A link in their place is refused. The folders above are taken by name, as the SDK has resolved
/// them: they belong to the kubelet, and nobody but root can put a link there meanwhile.
final class Targets {
  /// Whether something may be mounted there: not on the root of the machine, nor in a pool.
  ///
  /// @param path without links on the way, as the SDK hands it out
  /// @throws Refusal INVALID
  static void check(Path path, Pools pools) {
    if (path.getParent() == null) throw Refusal.invalid(path + " is no place for a volume");
    for (var pool : pools.all())
      if (path.startsWith(pool.folder()))
        throw Refusal.invalid("%s is in pool %s".formatted(path, pool.folder()));
  }

  /// A folder that the caller has to have made.
  static void checkFolder(Path path) {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
      throw Refusal.wrongState(path + " is not a folder; the caller has to make it");
  }

  /// A volume hidden below another one would be taken for unmounted, and what the caller keeps in a
  /// folder would be hidden below a volume.
  static void checkFree(Path path, Kernel kernel) {
    kernel
        .mounts()
        .at(path)
        .ifPresent(it -> {
          throw Refusal.wrongState(
              "%s is mounted at %s already; unmount it there first".formatted(it.source(), path));
        });
    try {
      if (holdsSomething(path))
        throw Refusal.wrongState(
            "%s holds something that is not ours and that a volume would hide; empty it, or name an"
                    .formatted(path)
                + " empty place");
    } catch (IOException e) {
      throw cannot("look into", path, e);
    }
  }

  private static boolean holdsSomething(Path path) throws IOException {
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) return Files.size(path) > 0;
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) return false;
    try (var content = Files.newDirectoryStream(path)) {
      return content.iterator().hasNext();
    }
  }

  /// Makes a folder to mount on, and says whether it was made: then it goes if the mount fails.
  static boolean makeFolder(Path path) {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) return false;
    try {
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
      return true;
    } catch (IOException e) {
      throw cannot("make", path, e);
    }
  }

  /// Makes a file to mount a device on, and says whether it was made: then it goes if that fails.
  static boolean makeFile(Path path) {
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) return false;
    try {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw----")));
      return true;
    } catch (IOException e) {
      throw cannot("make", path, e);
    }
  }

  /// Removes an empty folder or file; anything that holds something stays, with a word why.
  static void remove(Path path) {
    try {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
        throw Refusal.wrongState(path + " is a link or a device, which is not ours to remove");
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) > 0)
        throw Refusal.wrongState(path + " is a file with content that is not ours; remove it");
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException _) {
      throw Refusal.wrongState(path + " is not empty and nothing is mounted there; look into it");
    } catch (IOException e) {
      throw cannot("remove", path, e);
    }
  }

  private static RuntimeException cannot(String verb, Path path, IOException e) {
    if (e instanceof FileAlreadyExistsException)
      return Refusal.wrongState(
          "cannot %s %s: something else is there; remove it".formatted(verb, path));
    if (e instanceof NoSuchFileException
        || String.valueOf(e.getMessage()).contains("Not a directory"))
      return Refusal.wrongState(
          "cannot %s %s: its folder does not exist; the caller has to make it"
              .formatted(verb, path));
    return new UncheckedIOException(
        "cannot %s %s: %s".formatted(verb, path, e.getClass().getSimpleName()), e);
  }

  private Targets() {}
}

package dev.berth.node.runtime.host;

import dev.berth.linux.file.Rooted;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.MountTree;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.sys.Descriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What of the machine says how others are reached, for a root that is an image's: copies, whatever
/// the image has there.
///
/// @param access of the container to them
record Neighbours(ContainerFolder folder, Rooted inside, MountOptions access) {
  private static final List<Path> FILES =
      List.of(Path.of("/etc/hosts"), Path.of("/etc/resolv.conf"));

  /// Copies them to where they can be mounted from.
  static void copyTo(ContainerFolder folder) throws IOException {
    for (var file : FILES) {
      var copy = copy(folder, file);
      Files.write(copy, Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
      Files.setAttribute(copy, "unix:mode", 0644);
    }
  }

  private static Path copy(ContainerFolder folder, Path file) {
    return folder.copyOf(String.valueOf(file.getFileName()));
  }

  void show() {
    for (var file : FILES) {
      forgetBrokenLink(file);
      try (var tree = MountTree.copyOf(copy(folder, file), Depth.ONE);
          var place = inside.openFile(file.toString())) {
        tree.restrict(Depth.ONE, access);
        tree.attachOnThisThread(place);
      }
    }
  }

  /// A link that leads nowhere, as to what a service would make, is no place to mount on.
  private void forgetBrokenLink(Path file) {
    if (inside.open(file.toString()).map(Neighbours::closed).isPresent()) return;
    try (var above = inside.openDirectory(String.valueOf(file.getParent()))) {
      Files.deleteIfExists(above.asPath().resolve(file.getFileName()));
    } catch (IOException broken) {
      throw new UncheckedIOException("take away the link " + file, broken);
    }
  }

  private static boolean closed(Descriptor found) {
    found.close();
    return true;
  }
}

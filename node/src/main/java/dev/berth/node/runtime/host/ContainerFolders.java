package dev.berth.node.runtime.host;

import dev.berth.linux.mount.Mounts;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.tree.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the folders of all containers of a node are.
final class ContainerFolders {
  private static final String CONTAINERS = "containers";

  private final Layout layout;
  private final Mounts mounts;
  private final DevicePolicy devices;

  ContainerFolders(Layout layout, Mounts mounts, DevicePolicy devices) {
    this.layout = layout;
    this.mounts = mounts;
    this.devices = devices;
  }

  ContainerFolder of(ContainerId id) {
    return new ContainerFolder(
        id, layout.container(id.podUid(), id.name()).resolve(Integer.toString(id.attempt())));
  }

  /// Those that exist, whatever is in them.
  List<ContainerFolder> all() {
    var found = new ArrayList<ContainerFolder>();
    for (var pod : below(layout.pods()))
      for (var container : below(pod.resolve(CONTAINERS)))
        for (var attempt : below(container))
          if (attempt.getFileName().toString().matches("[0-9]{1,9}"))
            found.add(
                of(
                    new ContainerId(
                        pod.getFileName().toString(),
                        container.getFileName().toString(),
                        Integer.parseInt(attempt.getFileName().toString()))));
    return found;
  }

  /// Deletes directories that were made for a folder when the process was killed.
  void deleteEmpty() {
    for (var pod : below(layout.pods())) {
      try {
        for (var container : below(pod.resolve(CONTAINERS))) deleteEmpty(container);
        deleteEmpty(pod.resolve(CONTAINERS));
      } catch (IOException broken) {
        throw new UncheckedIOException("delete " + pod.resolve(CONTAINERS), broken);
      }
    }
  }

  /// Deletes a folder, and the empty directories that it leaves above it up to the pod's.
  ///
  /// @throws IllegalStateException something is mounted below: nothing was deleted
  void delete(ContainerFolder folder) {
    if (!mounts.table().under(folder.directory()).isEmpty())
      throw new IllegalStateException(
          "something is mounted below " + folder.directory() + "; it is not deleted");
    devices.remove(folder);
    try {
      deleteWhileOthersWrite(folder.directory());
      deleteEmpty(folder.directory().getParent());
      deleteEmpty(layout.pod(folder.id().podUid()).resolve(CONTAINERS));
    } catch (IOException broken) {
      throw new UncheckedIOException("delete container " + folder.id(), broken);
    }
  }

  /// A shim that has lost its agent may put one last file into what is being deleted.
  private static void deleteWhileOthersWrite(Path directory) throws IOException {
    for (int attempt = 0; attempt < 9; attempt++) {
      try {
        Trees.delete(directory);
        return;
      } catch (DirectoryNotEmptyException | NoSuchFileException _) {
        // again
      }
    }
    Trees.delete(directory);
  }

  private static void deleteEmpty(@Nullable Path directory) throws IOException {
    try {
      if (directory != null) Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException _) {
      // others are in it
    }
  }

  private static List<Path> below(Path directory) {
    try (var entries = Files.newDirectoryStream(directory)) {
      var found = new ArrayList<Path>();
      entries.forEach(found::add);
      return found;
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    } catch (IOException broken) {
      throw new UncheckedIOException("list " + directory, broken);
    }
  }
}

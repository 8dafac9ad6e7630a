package dev.berth.node.runtime.host;

import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the machine keeps from its own users: below `/`, `/etc`, `/opt`, `/srv` and `/var`, files
/// that not everybody may read and directories that not everybody may enter. The root of a
/// container is no more than any user of the machine. Looked for again when the last look is a
/// minute old.
final class SecretPlaces {
  /// How deep to look; what holds data of services is not walked through as a whole.
  private static final Map<Path, Integer> DEPTHS =
      Map.of(
          Path.of("/"), 1,
          Path.of("/etc"), 9,
          Path.of("/opt"), 2,
          Path.of("/srv"), 2,
          Path.of("/var"), 3);

  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Mounts mounts;
  private long looked; // guarded by this, as the next
  private Found found = new Found(List.of(), List.of());

  /// @param folders that not everybody may enter, none below another
  /// @param files outside of these that not everybody may read
  record Found(List<Path> folders, List<Path> files) {
    Found {
      folders = List.copyOf(folders);
      files = List.copyOf(files);
    }
  }

  SecretPlaces(Mounts mounts) {
    this.mounts = mounts;
    this.looked = System.nanoTime() - FRESH.toNanos();
  }

  synchronized Found now() {
    if (System.nanoTime() - looked < FRESH.toNanos()) return found;
    var walk = new Walk(targets());
    DEPTHS.forEach(walk::look);
    found = new Found(walk.folders, walk.files);
    looked = System.nanoTime();
    return found;
  }

  /// What is mounted apart is not in a container's root, unless it is brought along, and may not
  /// answer.
  private Set<Path> targets() {
    var targets = new HashSet<Path>();
    mounts.table().entries().stream()
        .map(MountEntry::target)
        .filter(target -> !RootBuilder.isSystem(target))
        .forEach(targets::add);
    targets.removeAll(DEPTHS.keySet());
    return targets;
  }

  private static final class Walk {
    private final Set<Path> others;
    private final List<Path> folders = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    Walk(Set<Path> others) {
      this.others = others;
    }

    void look(Path folder, int depth) {
      if (depth == 0) return;
      try (var entries = Files.newDirectoryStream(folder)) {
        for (var entry : entries)
          if (!others.contains(entry) && !DEPTHS.containsKey(entry)) lookAt(entry, depth);
      } catch (IOException | DirectoryIteratorException _) {
        // there is none, or it has just gone
      }
    }

    private void lookAt(Path entry, int depth) {
      PosixFileAttributes status;
      try {
        status = Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException _) {
        return; // it has just gone; those beside it are there
      }
      var rights = status.permissions();
      if (status.isDirectory() && !rights.contains(PosixFilePermission.OTHERS_EXECUTE))
        folders.add(entry);
      else if (status.isDirectory()) look(entry, depth - 1);
      else if (status.isRegularFile() && !rights.contains(PosixFilePermission.OTHERS_READ))
        files.add(entry);
    }
  }
}

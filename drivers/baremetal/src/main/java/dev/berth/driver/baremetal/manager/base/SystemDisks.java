package dev.berth.driver.baremetal.manager.base;

import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which disks the machine itself lives on (BM-56): whatever holds `/`, `/boot`, swap or a
/// kubelet's folder, through partitions and through devices that are made of others.
///
/// @param sysfs `/sys`
record SystemDisks(Path sysfs) {
  private static final List<Path> VITAL =
      List.of(
          Path.of("/"),
          Path.of("/boot"),
          Path.of("/boot/efi"),
          Path.of("/usr"),
          Path.of("/var"),
          Path.of("/var/lib"));

  /// Names of the disks.
  ///
  /// @param mounts as the machine's first process sees them, not those of a container
  /// @param swaps `/proc/swaps`
  Set<String> names(MountTable mounts, String swaps) {
    var found = new HashSet<String>();
    for (var mount : mounts.entries()) if (isVital(mount.target())) follow(mount, found);
    swaps
        .lines()
        .map(line -> line.split("\\s+")[0])
        .filter(word -> word.startsWith("/dev/"))
        .forEach(device -> below(Path.of(device).getFileName().toString(), found));
    return found;
  }

  /// A kubelet's folder is wherever its distribution has it.
  private static boolean isVital(Path target) {
    return VITAL.contains(target) || target.endsWith("kubelet") || target.endsWith("kubelet/pods");
  }

  /// A file system that is made of several devices has a number that is none of theirs; it was
  /// mounted by the name of one.
  private void follow(MountEntry mount, Set<String> found) {
    var byNumber = sysfs.resolve("dev/block").resolve(mount.device().toString());
    try {
      below(byNumber.toRealPath().getFileName().toString(), found);
    } catch (IOException _) {
      if (mount.source().startsWith("/dev/")) below(resolved(Path.of(mount.source())), found);
    }
  }

  /// Names below `/dev/disk` or `/dev/mapper` are links.
  private static String resolved(Path device) {
    try {
      return device.toRealPath().getFileName().toString();
    } catch (IOException _) {
      return String.valueOf(device.getFileName());
    }
  }

  /// From a partition to its disk, from a device to what it is made of.
  private void below(String name, Set<String> found) {
    var next = new ArrayDeque<>(List.of(name));
    var known = new HashSet<String>();
    while (!next.isEmpty()) {
      var each = next.pop();
      if (!known.add(each)) continue;
      var folder = sysfs.resolve("class/block").resolve(each);
      if (Files.isDirectory(sysfs.resolve("block").resolve(each))) found.add(each);
      else parent(folder).ifPresent(next::add);
      slaves(folder).forEach(next::add);
    }
  }

  private static Optional<String> parent(Path partition) {
    try {
      return Optional.ofNullable(partition.toRealPath().getParent())
          .map(it -> String.valueOf(it.getFileName()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static List<String> slaves(Path folder) {
    var slaves = folder.resolve("slaves");
    if (!Files.isDirectory(slaves)) return List.of();
    try (var all = Files.list(slaves)) {
      return all.map(it -> String.valueOf(it.getFileName())).toList();
    } catch (IOException _) {
      return List.of();
    }
  }
}

package dev.berth.driver.disk.pool;

import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where the disk of a pool has to be mounted. After a boot without that disk, its mount point is
/// an empty folder: a driver that began a new pool there would know none of its volumes, say of
/// each that it is deleted, and fill the disk of the machine instead.
public final class PoolMount {
  /// The number of the folder at the top of each btrfs subvolume.
  private static final long TOP_OF_SUBVOLUME = 256;

  private PoolMount() {}

  /// Why the pools may not be opened now; empty: they may. Makes nothing and changes nothing.
  ///
  /// @throws IllegalArgumentException if a pool is not below it
  public static Optional<String> whyNot(Path mountPoint, List<Path> pools) throws IOException {
    for (var pool : pools)
      if (!inside(mountPoint, pool))
        throw new IllegalArgumentException(
            "--pool %s is not below --pool-mount-point %s".formatted(pool, mountPoint));
    if (!Files.isDirectory(mountPoint))
      return Optional.of("--pool-mount-point %s is no folder".formatted(mountPoint));
    var place = mountPoint.toRealPath();
    var mounted = Mounts.ofThisMachine().table().at(place);
    if (mounted.isPresent() && isWhole(mounted.get())) return Optional.empty();
    return Optional.of(
        "no disk is mounted on --pool-mount-point %s%s: nothing is made there, and nothing deleted; mount the disk, and start the driver again"
            .formatted(
                mountPoint,
                mounted
                    .map(it -> " (it is the folder %s of another)".formatted(it.root()))
                    .orElse("")));
  }

  private static boolean inside(Path mountPoint, Path pool) {
    var above = mountPoint.toAbsolutePath().normalize();
    var below = pool.toAbsolutePath().normalize();
    return below.startsWith(above) && !below.equals(above);
  }

  /// Whether it is all of a file system. In a container each folder that the machine lends it is a
  /// mount of its own, whether a disk is mounted there or not; what it shows tells them apart.
  private static boolean isWhole(MountEntry mount) throws IOException {
    if (mount.root().equals("/")) return true;
    return mount.type().equals("btrfs")
        && Files.getAttribute(mount.target(), "unix:ino").equals(TOP_OF_SUBVOLUME);
  }
}

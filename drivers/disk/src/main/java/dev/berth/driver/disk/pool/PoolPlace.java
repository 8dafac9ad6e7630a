package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.linux.file.Usage;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where a pool may be: what a driver is given becomes its own, closed to others, and is filled. So
/// it is a pool, or empty, or new in a folder that is there.
public final class PoolPlace {
  private static final Logger log = LoggerFactory.getLogger(PoolPlace.class);

  /// They show the kernel, and keep no files.
  private static final Set<String> PSEUDO =
      Set.of(
          "autofs",
          "binfmt_misc",
          "bpf",
          "cgroup",
          "cgroup2",
          "configfs",
          "debugfs",
          "devpts",
          "devtmpfs",
          "efivarfs",
          "fusectl",
          "hugetlbfs",
          "mqueue",
          "nsfs",
          "proc",
          "pstore",
          "rpc_pipefs",
          "securityfs",
          "sysfs",
          "tracefs");

  /// Why no folder of these can be a pool, or not beside the others; empty: they can. Makes nothing
  /// and changes nothing.
  public static Optional<String> whyNot(List<Path> folders) throws IOException {
    var before = new ArrayList<Path>();
    for (var folder : folders) {
      var why = whyNot(folder);
      if (why.isPresent()) return why;
      var place = truePlace(folder);
      for (var other : before) {
        if (place.equals(other)) return Optional.of("--pool %s is given twice".formatted(folder));
        if (place.startsWith(other) || other.startsWith(place))
          return Optional.of(
              "--pool %s and --pool %s: one is in the other".formatted(other, folder));
      }
      before.add(place);
    }
    return Optional.empty();
  }

  static Optional<String> whyNot(Path folder) throws IOException {
    return why(folder).map(it -> "--pool %s %s".formatted(folder, it));
  }

  private static Optional<String> why(Path folder) throws IOException {
    var there = Files.exists(folder);
    if (!there && Files.exists(folder, LinkOption.NOFOLLOW_LINKS))
      return Optional.of("is a link to nothing");
    if (there && !Files.isDirectory(folder)) return Optional.of("is a file; give a folder");
    var parent = folder.toAbsolutePath().normalize().getParent();
    if (!there) {
      if (parent == null || !Files.exists(parent))
        return Optional.of(
            "does not exist, nor does the folder it would be in; a new pool is made only in a"
                + " folder that is there: is a disk not mounted?");
      if (!Files.isDirectory(parent)) return Optional.of("is below a file");
    }
    var place = truePlace(folder);
    if (place.getNameCount() == 0)
      return Optional.of("is the root of the machine; give a folder of its own");
    var disk = Mounts.ofThisMachine().table().covering(place);
    if (disk.filter(it -> PSEUDO.contains(it.type())).isPresent())
      return disk.map(it -> "is on %s, which keeps no files".formatted(it.type()));
    for (var above = place.getParent(); above != null; above = above.getParent())
      if (isPool(above))
        return Optional.of("is in the pool %s; give a folder outside".formatted(above));
    // In this order: another node may be making the pool.
    return !there || isFree(place) || isPool(place)
        ? Optional.empty()
        : Optional.of(
            "is not empty, and no pool; give an empty folder, or one that is not there yet");
  }

  /// The true path, also of a folder that is still to be made.
  private static Path truePlace(Path folder) throws IOException {
    if (Files.exists(folder)) return folder.toRealPath();
    var whole = folder.toAbsolutePath().normalize();
    var parent = whole.getParent();
    return parent == null ? whole : parent.toRealPath().resolve(whole.getFileName());
  }

  /// Whether a driver has begun to make a pool here, or has made one.
  private static boolean isPool(Path folder) {
    return Files.isDirectory(folder.resolve("volumes")) && PoolRecords.isPool(folder);
  }

  /// Whether nothing is in a folder but what a driver makes first in a new pool.
  private static boolean isFree(Path folder) {
    return Folders.everyName(folder).stream()
        .filter(name -> !name.equals("lost+found"))
        .allMatch(name ->
            Pool.FOLDERS.contains(name)
                && Files.isDirectory(folder.resolve(name))
                && Folders.everyName(folder.resolve(name)).isEmpty());
  }

  /// Makes the folder if it is not there.
  static void make(Path folder) throws IOException {
    if (Files.exists(folder)) return;
    OwnerOnly.makeFolder(folder);
    var place = folder.toRealPath();
    var disk = Mounts.ofThisMachine().table().covering(place);
    log.info(
        "made a new pool in {}, on {} ({}, {} GiB free)",
        place,
        disk.map(MountEntry::target).map(Path::toString).orElse("?"),
        disk.map(MountEntry::type).orElse("?"),
        String.format(Locale.ROOT, "%.1f", Usage.of(place).available() / (double) (1L << 30)));
  }

  private PoolPlace() {}
}

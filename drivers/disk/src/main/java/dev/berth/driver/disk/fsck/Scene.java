package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.lock.HeldLocks;
import dev.berth.driver.disk.pool.PoolRecords;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All there is of a pool at one moment.
///
/// Files and kernel are looked at first, then the locks, then the records. So what is half made
/// when it is seen is either still locked, or recorded by then.
///
/// @param files names in each folder of the pool; `""` is the pool's own
/// @param images backing files by their path below the pool
/// @param loops on files of the pool, by the backing file's path below the pool
/// @param mounts of these loop devices, by the device
record Scene(
    Path folder,
    Map<String, List<String>> files,
    Map<String, FileStatus> images,
    Map<String, List<LoopDevice>> loops,
    Map<Path, List<MountEntry>> mounts,
    HeldLocks locks,
    PoolRecords records) {
  static final String VOLUMES = "volumes";
  static final String SNAPSHOTS = "snapshots";
  static final String FROZEN = "frozen";
  static final String LOST = "lost";
  static final String NODES = "nodes";
  static final String EPHEMERAL = "/ephemeral";
  static final String DELETED = " (deleted)";

  static Scene of(Path folder) throws IOException {
    var files = new TreeMap<String, List<String>>();
    for (var part : List.of("", VOLUMES, SNAPSHOTS, FROZEN, NODES, LOST))
      files.put(part, names(folder.resolve(part)));
    for (var node : files.getOrDefault(NODES, List.of()))
      for (var part : List.of("", "/volumes", EPHEMERAL))
        files.put(NODES + "/" + node + part, names(folder.resolve(NODES + "/" + node + part)));
    var images = new HashMap<String, FileStatus>();
    for (var part : files.keySet().stream().filter(Scene::holdsImages).toList())
      for (var name : files.getOrDefault(part, List.of()))
        status(folder.resolve(part).resolve(name))
            .ifPresent(status -> images.put(part + "/" + name, status));
    var loops = loops(folder, images);
    var mounts = mounts(loops);
    var locks = HeldLocks.of(folder);
    return new Scene(folder, files, images, loops, mounts, locks, PoolRecords.read(folder));
  }

  private static boolean holdsImages(String part) {
    return part.equals(VOLUMES) || part.equals(SNAPSHOTS) || part.endsWith(EPHEMERAL);
  }

  /// Backing files that the ledger has to tell of.
  long ownImages() {
    return images.keySet().stream().filter(it -> !isEphemeral(it)).count();
  }

  /// Whether there is no ledger, or one without a line, and nobody has told so yet.
  boolean withoutLedger() {
    return ownImages() > 0 && !records.ledgerDamaged() && records.lines() == 0;
  }

  /// Whether somebody has to mend the ledger before anything can be said of what it does not tell.
  boolean ledgerBroken() {
    return records.ledgerDamaged() || withoutLedger();
  }

  /// Whether a backing file is that of a volume that lives and dies with a pod.
  static boolean isEphemeral(String image) {
    return image.startsWith(NODES);
  }

  /// The volume's id in the path of its backing file; of anything else there the name so far.
  static String idOf(String image) {
    return image.substring(image.lastIndexOf('/') + 1).replaceFirst("\\..*$", "");
  }

  private static List<String> names(Path folder) throws IOException {
    try (var names = Files.list(folder)) {
      return names.map(it -> it.getFileName().toString()).sorted().toList();
    } catch (NoSuchFileException _) {
      return List.of();
    }
  }

  private static Optional<FileStatus> status(Path file) {
    try {
      return Optional.of(FileStatus.of(file));
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.Missing) return Optional.empty();
      throw e;
    }
  }

  private static Map<String, List<LoopDevice>> loops(Path folder, Map<String, FileStatus> images) {
    var loops = new TreeMap<String, List<LoopDevice>>();
    for (var loop : new LoopDevices().attached())
      imageOf(loop, folder, images)
          .ifPresent(image ->
              loops.merge(
                  image,
                  List.of(loop),
                  (a, b) -> java.util.stream.Stream.concat(a.stream(), b.stream()).toList()));
    return loops;
  }

  private static Optional<String> imageOf(
      LoopDevice loop, Path folder, Map<String, FileStatus> images) {
    for (var image : images.entrySet())
      if (image.getValue().device().equals(loop.fileSystem())
          && image.getValue().inode() == loop.inode()) return Optional.of(image.getKey());
    var prefix = folder + "/";
    return loop.backingFile().startsWith(prefix) && loop.backingFile().endsWith(DELETED)
        ? Optional.of(loop.backingFile().substring(prefix.length()))
        : Optional.empty();
  }

  /// A device is mounted as a file system, or as a file: then its node is bound there.
  private static Map<Path, List<MountEntry>> mounts(Map<String, List<LoopDevice>> loops) {
    var table = Mounts.ofThisMachine().table().entries();
    var mounts = new HashMap<Path, List<MountEntry>>();
    loops.values().stream()
        .flatMap(List::stream)
        .map(LoopDevice::device)
        .forEach(device -> {
          var node = "/" + device.getFileName();
          mounts.put(
              device,
              table.stream()
                  .filter(it ->
                      it.source().equals(device.toString())
                          || (it.type().equals("devtmpfs") && it.root().equals(node)))
                  .toList());
        });
    return mounts;
  }
}

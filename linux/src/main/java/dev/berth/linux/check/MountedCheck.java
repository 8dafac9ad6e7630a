package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Looks at what the kernel says of a file system while it is mounted, without touching it: no
/// program that checks file systems tells the truth of a mounted one (BM-192 to BM-194), and
/// reading a directory proves nothing (BM-191).
public final class MountedCheck {
  static final Finding DEVICE_GONE =
      new Finding(
          Finding.Weight.DEAD, "DeviceGone", "the device of the volume is not there any more");
  static final Finding BECAME_READ_ONLY =
      new Finding(
          Finding.Weight.DAMAGED,
          "FileSystemReadOnly",
          "the file system has become read-only after an error; stage the volume anew");
  static final Finding SHUT_DOWN =
      new Finding(
          Finding.Weight.DEAD,
          "FileSystemShutDown",
          "the file system has been shut down after an error; stage the volume anew");

  /// A mounted file system goes on writing until it is mounted anew (BM-254).
  static final Finding DEVICE_READ_ONLY =
      new Finding(
          Finding.Weight.DAMAGED,
          "DeviceReadOnly",
          "the device has become read-only; the volume cannot be staged for writing again");

  private static final Path SYSFS = Path.of("/sys");

  private final Path sysfs;

  /// Where a device was found: a number stays in its place as long as there is a device.
  private final Map<DeviceNumber, Path> folders = new ConcurrentHashMap<>();

  public MountedCheck() {
    this(SYSFS);
  }

  MountedCheck(Path sysfs) {
    this.sysfs = sysfs;
  }

  /// Who wanted to write.
  public enum Wanted {
    WRITABLE,
    /// It was mounted read-only on purpose.
    READ_ONLY
  }

  /// What is wrong; empty: nothing that the kernel knows of.
  public List<Finding> findings(MountEntry mount, Wanted wanted) {
    var found = new ArrayList<>(state(mount, wanted));
    found.addAll(counted(mount));
    return found;
  }

  /// The errors that its file system has counted.
  List<Finding> counted(MountEntry mount) {
    var found = new ArrayList<Finding>();
    if (!mount.source().startsWith("/dev/")) return found;
    var name = folder(mount).map(it -> Objects.requireNonNull(it.getFileName()).toString());
    switch (mount.type()) {
      case "ext4" -> name.ifPresent(it -> ext4(it, found));
      case "btrfs" -> name.ifPresent(it -> btrfs(it, found));
      case String _ -> {} // counts nothing
    }
    return found;
  }

  /// In which state the mount and its device are.
  List<Finding> state(MountEntry mount, Wanted wanted) {
    return state(mount, wanted, () -> readOnly(mount.device()));
  }

  /// [#state] of a mount whose device somebody else has open.
  ///
  /// @param flag whether the device is read-only; empty: there is none. Of btrfs it is not asked,
  ///   as its number is no device's
  List<Finding> state(MountEntry mount, Wanted wanted, Supplier<Optional<String>> flag) {
    var found = new ArrayList<Finding>();
    options(mount, wanted, found);
    if (!mount.source().startsWith("/dev/")) return found;
    device(mount.type().equals("btrfs") ? readOnlyByName(mount) : flag.get(), wanted, found);
    if (mount.type().equals("xfs")) xfs(mount.target(), found);
    return found;
  }

  /// What is wrong with a device that nothing is mounted from.
  public List<Finding> findings(DeviceNumber device, Wanted wanted) {
    return findings(readOnly(device), wanted);
  }

  /// @param flag as [#state] has it
  static List<Finding> findings(Optional<String> flag, Wanted wanted) {
    var found = new ArrayList<Finding>();
    device(flag, wanted, found);
    return found;
  }

  Path sysfs() {
    return sysfs;
  }

  /// `rw` in front is no proof: what an error did to a file system stands behind it (BM-190).
  private static void options(MountEntry mount, Wanted wanted, List<Finding> found) {
    if (says(mount, "shutdown")) found.add(SHUT_DOWN);
    else if (says(mount, "emergency_ro") || (wanted == Wanted.WRITABLE && says(mount, "ro")))
      found.add(BECAME_READ_ONLY);
  }

  private static boolean says(MountEntry mount, String word) {
    return mount.options().contains(word) || mount.superOptions().contains(word);
  }

  /// @param readOnly what the device's flag says; empty: there is no device
  private static void device(Optional<String> readOnly, Wanted wanted, List<Finding> found) {
    if (readOnly.isEmpty()) found.add(DEVICE_GONE);
    else if (wanted == Wanted.WRITABLE && readOnly.get().equals("1")) found.add(DEVICE_READ_ONLY);
  }

  private Optional<String> readOnlyByName(MountEntry mount) {
    return folder(mount).map(MountedCheck::flag);
  }

  /// Where the device was it is most of the time: its flag tells that, too.
  private Optional<String> readOnly(DeviceNumber device) {
    var known = Optional.ofNullable(folders.get(device));
    return known
        .flatMap(it -> KernelFile.read(it.resolve("ro")))
        .or(() -> folder(device).map(MountedCheck::flag));
  }

  private static String flag(Path folder) {
    return KernelFile.read(folder.resolve("ro")).orElse("");
  }

  private void ext4(String device, List<Finding> found) {
    if (number(sysfs.resolve("fs/ext4").resolve(device).resolve("errors_count")) > 0)
      found.add(
          new Finding(
              Finding.Weight.DAMAGED,
              "FileSystemErrors",
              "the file system has counted errors; unmount it and have it checked"));
  }

  /// It says of itself only that it answers nothing any more: what stands in memory, too, is an
  /// input/output error then (BM-191).
  private static void xfs(Path root, List<Finding> found) {
    try {
      var _ = FileStatus.onThisThread(root);
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.DeadMount(var errno) && errno == Errno.EIO)
        found.add(SHUT_DOWN);
    }
  }

  /// Each line of `error_stats` is a word and a count (BM-194). Repairs leave the counts.
  private void btrfs(String device, List<Finding> found) {
    try (var systems = Files.newDirectoryStream(sysfs.resolve("fs/btrfs"))) {
      for (var system : systems) {
        if (!Files.exists(system.resolve("devices").resolve(device))) continue;
        try (var members = Files.newDirectoryStream(system.resolve("devinfo"))) {
          for (var member : members)
            if (counts(member.resolve("error_stats"))) {
              found.add(
                  new Finding(
                      Finding.Weight.DAMAGED,
                      "FileSystemErrors",
                      "the file system has counted errors of its device; see btrfs device stats"));
              return;
            }
        }
      }
    } catch (IOException _) {
      return; // this kernel tells nothing
    }
  }

  private static boolean counts(Path stats) throws IOException {
    if (!Files.exists(stats)) return false;
    return Files.readAllLines(stats).stream()
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .anyMatch(count -> !count.equals("0"));
  }

  /// What sysfs has of the device behind a file system. That of btrfs is found by its name, as its
  /// number stands for the file system and for no device.
  private Optional<Path> folder(MountEntry mount) {
    if (!mount.type().equals("btrfs")) return folder(mount.device());
    var folder = sysfs.resolve("class/block").resolve(mount.source().substring("/dev/".length()));
    return Files.exists(folder) ? Optional.of(folder) : Optional.empty();
  }

  private Optional<Path> folder(DeviceNumber device) {
    var known = folders.get(device);
    if (known != null && Files.exists(known)) return Optional.of(known);
    try {
      var found = sysfs.resolve("dev/block").resolve(device.toString()).toRealPath();
      folders.put(device, found);
      return Optional.of(found);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static long number(Path file) {
    try {
      return Long.parseLong(KernelFile.read(file).orElse("0"));
    } catch (NumberFormatException _) {
      return 0; // this kernel does not count
    }
  }
}

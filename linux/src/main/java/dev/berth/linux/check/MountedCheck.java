package dev.berth.linux.check;

import dev.berth.linux.mount.MountEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks at what the kernel says of a file system while it is mounted, without touching it: no
/// program that checks file systems tells the truth of a mounted one (BM-192 to BM-194), and
/// reading a directory proves nothing (BM-191).
public final class MountedCheck {
  private static final Path SYSFS = Path.of("/sys");

  private final Path sysfs;

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
    var found = new ArrayList<Finding>();
    options(mount, wanted, found);
    var device = deviceName(mount);
    if (device.isPresent() && !Files.exists(sysfs.resolve("class/block").resolve(device.get())))
      found.add(
          new Finding(
              Finding.Weight.DEAD,
              "DeviceGone",
              "the device of the file system is not there any more"));
    if (mount.type().equals("ext4") && device.isPresent()) ext4(device.get(), found);
    if (mount.type().equals("btrfs") && device.isPresent()) btrfs(device.get(), found);
    return found;
  }

  /// `rw` in front is no proof: what an error did to a file system stands behind it (BM-190).
  private static void options(MountEntry mount, Wanted wanted, List<Finding> found) {
    var words = new ArrayList<>(mount.options());
    words.addAll(mount.superOptions());
    if (words.contains("shutdown"))
      found.add(
          new Finding(
              Finding.Weight.DEAD,
              "FileSystemShutDown",
              "the file system has been shut down after an error; stage the volume anew"));
    else if (words.contains("emergency_ro") || wanted == Wanted.WRITABLE && words.contains("ro"))
      found.add(
          new Finding(
              Finding.Weight.DAMAGED,
              "FileSystemReadOnly",
              "the file system has become read-only after an error; stage the volume anew"));
  }

  private void ext4(String device, List<Finding> found) {
    if (number(sysfs.resolve("fs/ext4").resolve(device).resolve("errors_count")) > 0)
      found.add(
          new Finding(
              Finding.Weight.DAMAGED,
              "FileSystemErrors",
              "the file system has counted errors; unmount it and have it checked"));
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

  private static Optional<String> deviceName(MountEntry mount) {
    return mount.source().startsWith("/dev/")
        ? Optional.of(mount.source().substring("/dev/".length()))
        : Optional.empty();
  }

  private static long number(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException _) {
      return 0; // this kernel does not count
    }
  }
}

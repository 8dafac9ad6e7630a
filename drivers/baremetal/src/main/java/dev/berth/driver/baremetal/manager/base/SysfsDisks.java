package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The disks that the kernel has now (BM-52): `/sys/block`, and what udev has noted of them. No
/// disk is asked for anything, so none of them can hold this up.
///
/// @param sysfs `/sys`
/// @param udev `/run/udev/data`; need not be there. Beside it is the socket of a udev that lives
record SysfsDisks(Path sysfs, Path udev) {
  /// BM-56: none of these is a drive, whatever it is made of.
  private static final Pattern NO_DRIVES =
      Pattern.compile("(loop|ram|zram|dm-|md|sr|fd|nbd|rbd|drbd)\\d.*");

  private static final Set<String> YES = Set.of("1", "Y");
  private static final int SECTOR = 512;
  private static final int VPD_HEADER = 4;

  static SysfsDisks ofThisMachine() {
    return new SysfsDisks(Path.of("/sys"), Path.of("/run/udev/data"));
  }

  /// In order of their names. Hidden ones (a path of a multipath device) and such without a medium
  /// are not among them.
  List<SysfsDisk> all() throws IOException {
    var found = new ArrayList<SysfsDisk>();
    try (var folders = Files.newDirectoryStream(sysfs.resolve("block"))) {
      for (var folder : folders) disk(folder).ifPresent(found::add);
    }
    found.sort((a, b) -> a.name().compareTo(b.name()));
    return found;
  }

  private Optional<SysfsDisk> disk(Path folder) {
    var name = String.valueOf(folder.getFileName());
    if (NO_DRIVES.matcher(name).matches()) return Optional.empty();
    long size = number(text(folder.resolve("size"))) * SECTOR;
    if (size == 0 || YES.contains(text(folder.resolve("hidden")))) return Optional.empty();
    var number = text(folder.resolve("dev"));
    var note = number.isEmpty() ? "" : "b" + number;
    return Optional.of(
        new SysfsDisk(name, folder, note, names(name, folder, note), type(name, folder), size));
  }

  /// A rotating disk says so; who says nothing has nothing that turns.
  private static DriveType type(String name, Path folder) {
    if (name.startsWith("nvme")) return DriveType.NVME;
    return text(folder.resolve("queue/rotational")).equals("1") ? DriveType.HDD : DriveType.SSD;
  }

  /// BM-23: what the drive says of itself, through whichever layer says it, the best first. The
  /// kernel shows a disk before udev has asked it who it is.
  private DriveNames names(String name, Path folder, String note) {
    var device = folder.resolve("device");
    var text = note.isEmpty() ? "" : text(udev.resolve(note));
    var noted = noted(text);
    var vids =
        words(
            noted.getOrDefault("ID_VENDOR", ""),
            text(device.resolve("vendor")),
            text(device.resolve("device/vendor")),
            name.startsWith("nvme") ? "NVMe" : "");
    var pids =
        words(
            noted.getOrDefault("ID_MODEL", ""),
            text(device.resolve("model")),
            text(device.resolve("device")));
    var serials =
        words(
            noted.getOrDefault("ID_SERIAL_SHORT", ""),
            text(device.resolve("serial")),
            page(device.resolve("vpd_pg80")),
            text(folder.resolve("serial")),
            text(folder.resolve("wwid")),
            text(device.resolve("wwid")));
    return new DriveNames(
        new DriveIdentity(first(vids), first(pids), first(serials)),
        note.isEmpty() || !udevLives() || !text.isEmpty(),
        noted.containsKey("ID_SERIAL_SHORT") || noted.containsKey("ID_SERIAL"),
        Set.copyOf(vids),
        Set.copyOf(pids),
        Set.copyOf(serials));
  }

  /// Whether somebody notes more of each disk, a moment after it has come.
  private boolean udevLives() {
    return Files.exists(udev.resolveSibling("control"));
  }

  private static List<String> words(String... words) {
    return Arrays.stream(words).filter(it -> !it.isBlank()).toList();
  }

  private static String first(List<String> words) {
    return words.isEmpty() ? "" : words.getFirst();
  }

  /// What udev has found out, if there is one: for ATA disks it knows more than SCSI shows.
  private static Map<String, String> noted(String note) {
    var all = new HashMap<String, String>();
    for (var line : note.split("\n"))
      if (line.startsWith("E:") && line.contains("="))
        all.put(
            line.substring(2, line.indexOf('=')), line.substring(line.indexOf('=') + 1).strip());
    return all;
  }

  /// SCSI's page of the unit's serial number: a header, then the number.
  private static String page(Path file) {
    try {
      var bytes = Files.readAllBytes(file);
      if (bytes.length <= VPD_HEADER) return "";
      return new String(bytes, VPD_HEADER, bytes.length - VPD_HEADER, StandardCharsets.ISO_8859_1)
          .replace('\0', ' ')
          .strip();
    } catch (IOException _) {
      return "";
    }
  }

  /// What a file says; one that is not there, or cannot be read now, says nothing.
  static String text(Path file) {
    try {
      return Files.isRegularFile(file)
          ? Files.readString(file, StandardCharsets.ISO_8859_1).strip()
          : "";
    } catch (IOException _) {
      return "";
    }
  }

  private static long number(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}

package dev.berth.driver.baremetal.manager.zram;

import dev.berth.driver.baremetal.manager.DeviceLook;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Devices of compressed memory that somebody has made and named: only these are drives, and only
/// while they have a size. One whose kernel has counted failed writes is suspect (BM-77).
public final class ZramManager implements DriveManager {
  private static final Pattern NAME = Pattern.compile("zram\\d+");
  private static final Path SYSFS = Path.of("/sys/block");

  private final Set<String> devices;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final DeviceLook look = new DeviceLook(new FileSystemTools(Tools.ofThisMachine()));

  /// @param devices such as `zram1`
  /// @throws IOException if one is not named so
  public ZramManager(Set<String> devices) throws IOException {
    for (var device : devices)
      if (!NAME.matcher(device).matches())
        throw new IOException("'%s' is no name like zram1".formatted(device));
    this.devices = new TreeSet<>(devices);
  }

  @Override
  public List<FoundDrive> drives() {
    var table = mounts.table();
    var found = new ArrayList<FoundDrive>();
    for (var device : devices) {
      long size = number(device, "disksize");
      if (size > 0) found.add(found(device, size, table));
    }
    return found;
  }

  private FoundDrive found(String device, long size, MountTable table) {
    var node = Path.of("/dev").resolve(device);
    return new FoundDrive(
        DriveNames.of(identity(device)),
        DriveType.SSD,
        size,
        node,
        failedWrites(device) > 0 ? Health.SUSPECT : Health.GOOD,
        obstacles(node, table),
        false,
        true,
        Led.NOT_AVAILABLE);
  }

  private List<String> obstacles(Path node, MountTable table) {
    try {
      return look.obstacles(node, table);
    } catch (LinuxException e) {
      return List.of("cannot be used: " + e.getMessage());
    }
  }

  private static DriveIdentity identity(String device) {
    return new DriveIdentity("Linux", "zram", device);
  }

  private static long number(String device, String file) {
    var words = words(device, file);
    return words.length > 0 ? number(words[0]) : 0;
  }

  /// The second of the numbers of `io_stat`.
  private static long failedWrites(String device) {
    var words = words(device, "io_stat");
    return words.length > 1 ? number(words[1]) : 0;
  }

  private static String[] words(String device, String file) {
    try {
      return Files.readString(SYSFS.resolve(device).resolve(file)).strip().split("\\s+");
    } catch (IOException _) {
      return new String[0]; // it has just gone
    }
  }

  private static long number(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  @Override
  public Optional<Path> find(Drive drive) {
    return devices.stream()
        .filter(it -> identity(it).equals(drive.identity()) && number(it, "disksize") > 0)
        .findFirst()
        .map(Path.of("/dev")::resolve);
  }

  @Override
  public List<String> obstacles(Drive drive) {
    return find(drive)
        .map(device -> obstacles(device, mounts.table()))
        .orElse(List.of("is not there"));
  }

  @Override
  public Led locate(Drive drive, Locate what) {
    return Led.NOT_AVAILABLE;
  }

  @Override
  public void close() {}
}

package dev.berth.driver.baremetal.manager.folder;

import dev.berth.driver.baremetal.manager.DeviceLook;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Each file `NAME.img` of a folder is a drive with the serial number `NAME`, on a loop device that
/// stays when this process ends. Whatever serves the files decides how the drives behave: one that
/// is removed or renamed is pulled. No file is made, grown or deleted here.
public final class FolderManager implements DriveManager {
  private static final String SUFFIX = ".img";
  private static final Pattern SERIAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

  private final Path folder;
  private final LoopDevices loops = new LoopDevices();
  private final Mounts mounts = Mounts.ofThisMachine();
  private final DeviceLook look = new DeviceLook(new FileSystemTools(Tools.ofThisMachine()));
  private final Map<DriveIdentity, Led> lamps = new ConcurrentHashMap<>();

  /// @throws IOException if there is no such folder
  public FolderManager(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    if (!Files.isDirectory(this.folder)) throw new IOException(folder + " is not a folder");
  }

  @Override
  public List<FoundDrive> drives() throws IOException {
    var table = mounts.table();
    var found = new ArrayList<FoundDrive>();
    for (var image : images()) found.add(found(image, table));
    return found;
  }

  private List<Path> images() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .filter(it -> serial(it).isPresent())
          .filter(it -> Files.isRegularFile(it, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private static Optional<String> serial(Path image) {
    var name = String.valueOf(image.getFileName());
    if (!name.endsWith(SUFFIX)) return Optional.empty();
    return Optional.of(name.substring(0, name.length() - SUFFIX.length()))
        .filter(SERIAL.asMatchPredicate());
  }

  private static DriveIdentity identity(Path image) {
    return new DriveIdentity("Test", "Folder", serial(image).orElseThrow());
  }

  /// BM-54: what is wrong with one says nothing of the others.
  private FoundDrive found(Path image, MountTable table) {
    try {
      var device = attached(image);
      return shown(
          image, device, BlockDevice.size(device), Health.GOOD, look.obstacles(device, table));
    } catch (LinuxException e) {
      return shown(
          image, Path.of(""), 0, Health.UNKNOWN, List.of("cannot be used: " + e.getMessage()));
    }
  }

  private FoundDrive shown(
      Path image, Path device, long size, Health health, List<String> obstacles) {
    var identity = identity(image);
    return new FoundDrive(
        DriveNames.of(identity),
        DriveType.HDD,
        size,
        device,
        health,
        obstacles,
        false,
        true,
        lamps.getOrDefault(identity, Led.OFF));
  }

  private Path attached(Path image) {
    var there = loops.anyOf(image);
    if (there.isPresent()) return there.get().device();
    try (var loop = loops.attach(image, LoopOptions.of(Flag.PARTITIONS))) {
      return loop.device();
    }
  }

  @Override
  public Optional<Path> find(Drive drive) {
    var image = folder.resolve(drive.identity().serial() + SUFFIX);
    if (serial(image).isEmpty()
        || !folder.equals(image.getParent())
        || !identity(image).equals(drive.identity())
        || !Files.isRegularFile(image, LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
    return loops.anyOf(image).map(LoopDevice::device);
  }

  @Override
  public List<String> obstacles(Drive drive) {
    return look.obstacles(find(drive), mounts.table());
  }

  @Override
  public Led locate(Drive drive, Locate what) {
    if (what != Locate.STATUS) lamps.put(drive.identity(), what == Locate.START ? Led.ON : Led.OFF);
    return lamps.getOrDefault(drive.identity(), Led.OFF);
  }

  /// Devices stay: their volumes may be in use.
  @Override
  public void close() {}
}

package dev.berth.driver.baremetal.manager.loopback;

import dev.berth.driver.baremetal.manager.DeviceLook;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.Durable;
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
import java.io.RandomAccessFile;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Drives that are files (BM-58): image `<node>-<serial>.img` in a folder, with `+` for each `-` of
/// the serial number, so that no two nodes have an image of the same name. Each is on a loop device
/// that stays when this process ends. Only images of its own node are touched, and none is deleted.
public final class LoopbackManager implements DriveManager {
  private static final Logger log = LoggerFactory.getLogger(LoopbackManager.class);

  private final Path file;
  private final Path images;
  private final String node;
  private final LoopDevices loops = new LoopDevices();
  private final Mounts mounts = Mounts.ofThisMachine();
  private final DeviceLook look = new DeviceLook(new FileSystemTools(Tools.ofThisMachine()));
  private final Map<DriveIdentity, Led> lamps = new ConcurrentHashMap<>();
  private final WatchService watch;
  private volatile Runnable nudge = () -> {};
  private @Nullable Thread watcher;

  /// @param file what drives there are; looked at anew in each pass
  /// @param images folder for the images, made if it is not there
  /// @throws IOException also if the file makes no sense
  public LoopbackManager(Path file, Path images, String node) throws IOException {
    this.file = file.toAbsolutePath();
    this.images = images.toAbsolutePath();
    this.node = node;
    plan();
    Files.createDirectories(images);
    watch = this.file.getFileSystem().newWatchService();
  }

  /// The nodes that a file of drives names, in its order.
  ///
  /// @throws IOException also if the file makes no sense
  public static List<String> nodes(Path file) throws IOException {
    try {
      return LoopbackPlan.nodes(Files.readString(file));
    } catch (IllegalArgumentException wrong) {
      throw new IOException("%s: %s".formatted(file, wrong.getMessage()), wrong);
    }
  }

  /// Takes down the devices of a node's drives that nobody has, for who has ended its driver: the
  /// images stay, and are attached again by the next one.
  public static void detach(Path images, String node) throws IOException {
    if (!Files.isDirectory(images)) return;
    var loops = new LoopDevices();
    try (var files = Files.newDirectoryStream(images, it -> isOf(it, node))) {
      for (var image : files) pull(loops, image);
    }
  }

  private static boolean isOf(Path image, String node) {
    var name = String.valueOf(image.getFileName());
    // a serial number has no dash in an image's name
    return name.startsWith(node + "-") && name.lastIndexOf('-') == node.length();
  }

  private LoopbackPlan plan() throws IOException {
    try {
      return LoopbackPlan.parse(Files.readString(file), node);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("%s: %s".formatted(file, wrong.getMessage()), wrong);
    }
  }

  @Override
  public List<FoundDrive> drives() throws IOException {
    var table = mounts.table();
    var found = new ArrayList<FoundDrive>();
    for (var drive : plan().drives()) {
      var image = image(drive.identity());
      try {
        if (drive.removed()) pull(loops, image);
        else found.add(found(drive, attached(image, drive.size()), table));
      } catch (IOException | LinuxException e) {
        // what has been plugged in keeps its size, whatever the file says
        long size = Files.exists(image) ? 0 : drive.size();
        found.add(unusable(drive, size, String.valueOf(e.getMessage())));
      }
    }
    return found;
  }

  /// BM-54: what is wrong with one drive says nothing of the others.
  private FoundDrive unusable(LoopbackDrive drive, long size, String why) {
    return new FoundDrive(
        DriveNames.of(drive.identity()),
        drive.type(),
        size,
        Path.of(""),
        Health.UNKNOWN,
        List.of("cannot be used: " + why),
        false,
        drive.named(),
        lamps.getOrDefault(drive.identity(), drive.led()));
  }

  private Path image(DriveIdentity drive) {
    return images.resolve("%s-%s.img".formatted(node, drive.serial().replace('-', '+')));
  }

  @Override
  public Optional<Path> find(Drive drive) {
    var image = image(drive.identity());
    if (!Files.exists(image)) return Optional.empty();
    return loops.anyOf(image).map(LoopDevice::device);
  }

  private FoundDrive found(LoopbackDrive drive, Path device, MountTable table) throws IOException {
    return new FoundDrive(
        DriveNames.of(drive.identity()),
        drive.type(),
        drive.size(),
        device,
        drive.health(),
        look.obstacles(device, table),
        false,
        drive.named(),
        lamps.getOrDefault(drive.identity(), drive.led()));
  }

  /// The image's device; both are made if they are not there. An image keeps its size.
  private Path attached(Path image, long size) throws IOException {
    if (!Files.exists(image)) make(image, size);
    if (Files.size(image) != size)
      throw new IOException(
          "%s has %d bytes, not the %d of %s; an image keeps its size: name another serialNumber"
              .formatted(image, Files.size(image), size, file));
    var there = loops.anyOf(image);
    if (there.isPresent()) return there.get().device();
    try (var loop = loops.attach(image, LoopOptions.of(Flag.PARTITIONS))) {
      return loop.device();
    }
  }

  /// Under another name first: an image that is there has its size, whenever this process is
  /// killed.
  private static void make(Path image, long size) throws IOException {
    var fresh = image.resolveSibling(image.getFileName() + ".new");
    try (var made = new RandomAccessFile(fresh.toFile(), "rw")) {
      made.setLength(size);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    Durable.sync(fresh);
    // false: another process was faster, and what it made is as good
    if (!Durable.renameToNew(fresh, image)) Files.deleteIfExists(fresh);
  }

  /// One that is mounted stays until it is not: the kernel would only mark it, and take it down
  /// when somebody has long put it in again.
  private static void pull(LoopDevices loops, Path image) {
    if (!Files.exists(image)) return;
    loops
        .anyOf(image)
        .map(LoopDevice::device)
        .filter(device -> !BlockDevice.isHeld(device))
        .ifPresent(loops::detach);
  }

  @Override
  public List<String> obstacles(Drive drive) {
    return look.obstacles(find(drive), mounts.table());
  }

  @Override
  public Led locate(Drive drive, Locate what) throws IOException {
    var known =
        plan().drives().stream().filter(it -> it.identity().equals(drive.identity())).findFirst();
    if (known.isEmpty()) throw new IOException("there is no drive " + drive.identity());
    var configured = known.get().led();
    if (configured == Led.NOT_AVAILABLE) return configured;
    var next =
        switch (what) {
          case START -> Optional.of(Led.ON);
          case STOP -> Optional.of(Led.OFF);
          case STATUS -> Optional.<Led>empty();
        };
    next.ifPresent(led -> lamps.put(drive.identity(), led));
    return lamps.getOrDefault(drive.identity(), configured);
  }

  @Override
  public synchronized void onChange(Runnable nudge) {
    this.nudge = nudge;
    if (watcher == null)
      watcher = Thread.ofVirtual().name("loopback-" + node).start(this::watchFile);
  }

  /// The folder is watched, as editors put a new file in the place of the old.
  private void watchFile() {
    try (watch) {
      var folder = Objects.requireNonNull(file.getParent());
      folder.register(
          watch,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      while (true) {
        var key = watch.take();
        var ours =
            key.pollEvents().stream().anyMatch(it -> file.endsWith(String.valueOf(it.context())));
        key.reset();
        if (ours) nudge.run();
      }
    } catch (ClosedWatchServiceException ended) {
      log.debug("the watch of {} has ended", file);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (IOException broken) {
      log.warn("{} is not watched; it is read every pass all the same", file, broken);
    }
  }

  /// Devices stay: their volumes may be in use.
  @Override
  public void close() {
    try {
      watch.close();
    } catch (IOException e) {
      log.debug("the watch of {} did not end well", file, e);
    }
  }
}

package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Space;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Drives that several volumes share (BM-210): a file system on the drive, mounted where nobody
/// else looks, and on it an image for each volume, with all its blocks from the start: a volume
/// never finds its drive full, and never sees what another has left there. An image is a device of
/// its own, so that a shared volume is used as any other.
///
/// Whoever changes anything here has the drive for himself ([DriveLocks]).
public final class Pools {
  private static final FileSystemType TYPE = FileSystemType.EXT4;
  private static final String MADE = ".made";
  private static final int MOST_LAYERS = 100;

  /// Images are few and large: hardly any inodes, and no room for growth of what cannot grow.
  private static final List<String> FOR_IMAGES =
      List.of("-L", "berth-shared", "-O", "^resize_inode", "-i", "1048576");

  private final Path folder;
  private final DriveManager manager;
  private final FileSystemTools tools;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final Places places = new Places(mounts);
  private final LoopDevices loops = new LoopDevices();

  /// @param folder made when it is needed; below it the drives are mounted
  public Pools(Path folder, DriveManager manager, FileSystemTools tools) {
    this.folder = folder;
    this.manager = manager;
    this.tools = tools;
  }

  /// The mark by which the file system is known as ours.
  static String mark(Drive drive) {
    return UUID.nameUUIDFromBytes(("shared " + drive.uuid()).getBytes(StandardCharsets.UTF_8))
        .toString();
  }

  private Path place(Drive drive) {
    return folder.resolve(drive.uuid());
  }

  private Path image(Drive drive, String uid) {
    return place(drive).resolve(uid + ".img");
  }

  Path device(Drive drive) throws IOException {
    return manager
        .find(drive)
        .orElseThrow(() -> new IOException("the node does not have drive " + drive.identity()));
  }

  /// Whether the file system is there, and was made to its end: only then any volume was ever on
  /// it.
  boolean isMade(Drive drive) throws IOException {
    return Files.exists(mounted(drive).resolve(MADE), LinkOption.NOFOLLOW_LINKS);
  }

  /// What is on the drive itself.
  Content content(Drive drive) throws IOException {
    return tools.contentOf(device(drive));
  }

  /// Makes the file system on a drive that is blank.
  void make(Drive drive) throws IOException {
    var device = device(drive);
    var extra = new ArrayList<>(FOR_IMAGES);
    extra.addAll(List.of("-U", mark(drive)));
    tools.make(TYPE, device, extra);
    Durable.sync(device);
    var root = mounted(drive);
    Files.createFile(root.resolve(MADE));
    Durable.syncFileSystem(root);
  }

  /// Where the drive's file system is mounted; it is, afterwards. A mount of a drive that was
  /// pulled since is not it.
  Path mounted(Drive drive) throws IOException {
    var device = device(drive);
    var place = place(drive);
    if (places.at(place, device).isPresent()) return place;
    Files.createDirectories(place);
    unmount(place);
    var _ = tools.recover(TYPE, device);
    mounts.mount(
        TYPE.word(),
        device.toString(),
        place,
        MountOptions.NONE.with(MountFlag.NOSUID).with(MountFlag.NODEV).with(MountFlag.NOEXEC));
    return place;
  }

  /// Takes the mount away, so that the drive can be wiped.
  ///
  /// @throws dev.berth.linux.sys.LinuxException `Failure.Busy` if a volume is still in use
  void close(Drive drive) throws IOException {
    var place = place(drive);
    if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) return;
    for (int layers = 0; layers < MOST_LAYERS && mounts.at(place).isPresent(); layers++) {
      boolean dead = mounts.state(place) == Mounts.State.CORRUPTED;
      mounts.unmount(place, dead ? Unmount.LAZY : Unmount.IF_UNUSED);
    }
    Places.remove(place);
  }

  private void unmount(Path place) {
    for (int layers = 0; layers < MOST_LAYERS && mounts.at(place).isPresent(); layers++)
      mounts.unmount(place, Unmount.LAZY);
  }

  /// Makes a volume's image as large as it is to be; one that is there only grows.
  void reserve(Drive drive, String uid, long size) throws IOException {
    mounted(drive);
    var image = image(drive, uid);
    if (!Files.exists(image, LinkOption.NOFOLLOW_LINKS)) Files.createFile(image);
    if (Files.size(image) < size) {
      Space.reserve(image, size);
      Durable.sync(image);
    }
    loops.anyOf(image).map(LoopDevice::device).ifPresent(loops::takeOverSize);
  }

  /// The device of a volume; there is one afterwards.
  Path open(Drive drive, String uid) throws IOException {
    mounted(drive);
    var image = image(drive, uid);
    var there = loops.anyOf(image);
    if (there.isPresent()) return there.get().device();
    try (var loop = loops.attach(image, LoopOptions.of(Flag.DIRECT_IO))) {
      return loop.device();
    }
  }

  /// The device of a volume, if there is one now; only looks.
  Optional<Path> find(Drive drive, String uid) {
    var image = image(drive, uid);
    if (!Files.exists(image, LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
    return loops.anyOf(image).map(LoopDevice::device);
  }

  /// Takes a volume's device down, when nobody uses it any more.
  void release(Drive drive, String uid) {
    find(drive, uid).ifPresent(loops::detach);
  }

  /// Takes a volume's image away, with all that is in it.
  ///
  /// @throws dev.berth.linux.sys.LinuxException `Failure.Busy` if somebody still has it mounted
  void remove(Drive drive, String uid) throws IOException {
    var root = mounted(drive);
    var device = find(drive, uid);
    if (device.isPresent()) {
      Preparation.refuseHeld(device.get());
      loops.detach(device.get());
    }
    Files.deleteIfExists(image(drive, uid));
    Durable.syncFileSystem(root);
  }
}

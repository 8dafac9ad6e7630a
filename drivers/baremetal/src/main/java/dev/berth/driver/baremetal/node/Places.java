package dev.berth.driver.baremetal.node;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.NodePublishing.Place;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Where a drive's device is mounted: asked of the kernel, by device numbers and whole paths
/// (BM-115, BM-190).
record Places(Mounts mounts) {
  private static final int MOST_LAYERS = 100;
  private static final int MOST_TRIES = 30;
  private static final Duration A_MOMENT = Duration.ofMillis(100);

  /// Whether a mount shows this device: its file system, or its node.
  static boolean shows(MountEntry entry, Path device) {
    if (entry.source().equals(device.toString())) return true; // btrfs has a number of its own
    try {
      var number = FileStatus.of(device).special();
      if (entry.device().equals(number)) return true;
      return isNode(entry, device);
    } catch (LinuxException _) {
      return false;
    }
  }

  /// All mounts of a device but one.
  List<Place> publishedAt(Path device, Optional<Path> staging) {
    MountTable table = mounts.table();
    return table.entries().stream()
        .filter(it -> shows(it, device))
        .filter(it -> !staging.equals(Optional.of(it.target())))
        .filter(it -> !isDeviceFolder(it))
        .map(it -> new Place(it.target(), Optional.empty(), isReadOnly(it, device)))
        .toList();
  }

  /// What is mounted of a device's node says nothing: only the device can refuse writes (NOD-14).
  private static boolean isReadOnly(MountEntry entry, Path device) {
    return isNode(entry, device) ? BlockDevice.isReadOnly(device) : entry.options().contains("ro");
  }

  private static boolean isNode(MountEntry entry, Path device) {
    return entry.type().equals("devtmpfs") && entry.root().equals("/" + device.getFileName());
  }

  /// `/dev` itself shows every device.
  private static boolean isDeviceFolder(MountEntry entry) {
    return entry.type().equals("devtmpfs") && entry.root().equals("/");
  }

  Optional<MountEntry> at(Path path, Path device) {
    return mounts.at(path).filter(it -> shows(it, device));
  }

  /// Takes away every mount of this device at `path`; those of others stay.
  void unmountAll(Path device, Path path) {
    for (int layers = 0; layers < MOST_LAYERS; layers++) {
      if (at(path, device).isEmpty()) return;
      boolean dead = mounts.state(path) == Mounts.State.CORRUPTED;
      if (dead) mounts.unmount(path, Unmount.LAZY);
      else unmountUnused(path);
    }
    throw Refusal.busy("something mounts the volume at %s again and again".formatted(path));
  }

  /// Takes away what a device that is gone has left at `path` (BM-117): who still uses it does not
  /// keep it there, as the device's name will be another's.
  void unmountOrphan(Path path) {
    for (int layers = 0; layers < MOST_LAYERS && mounts.at(path).isPresent(); layers++) {
      try {
        mounts.unmount(path, Unmount.IF_UNUSED);
      } catch (LinuxException _) {
        mounts.unmount(path, Unmount.LAZY);
      }
    }
  }

  /// A small use of the volume that is under way ([VolumeCare]) is over in a moment.
  private void unmountUnused(Path path) {
    for (int tries = 1; ; tries++) {
      try {
        mounts.unmount(path, Unmount.IF_UNUSED);
        return;
      } catch (LinuxException e) {
        if (!(e.failure() instanceof Failure.Busy) || tries == MOST_TRIES) throw e;
        LockSupport.parkNanos(A_MOMENT.toNanos());
      }
    }
  }

  /// Waits a moment for those who hold a device that is mounted nowhere here.
  static void awaitUnheld(Path device) {
    for (int tries = 1; BlockDevice.isHeld(device); tries++) {
      if (tries == MOST_TRIES) {
        var copies = MountCopies.of(device);
        throw Refusal.busy(
            "%s is held by %s"
                .formatted(
                    device,
                    copies.isEmpty()
                        ? "somebody else: another device, or a process in a container"
                        : "a copy of its mount in the name space of "
                            + String.join(", ", copies)
                            + ", and free when that ends"));
      }
      LockSupport.parkNanos(A_MOMENT.toNanos());
    }
  }

  /// Something else there would be hidden, or be taken for the volume.
  void checkFree(Path path) {
    mounts
        .at(path)
        .ifPresent(it -> {
          throw Refusal.wrongState(
              "%s is mounted at %s already; unmount it there first".formatted(it.source(), path));
        });
  }

  static void checkFolder(Path path) {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
      throw Refusal.wrongState(path + " is not a folder; the caller has to make it");
  }

  /// Makes what is mounted on.
  ///
  /// @return whether it was made: then it goes if the mount fails
  static boolean make(Path path, boolean file) throws IOException {
    if (Files.isSymbolicLink(path)) throw Refusal.wrongState(path + " is a link; remove it");
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) == file)
        throw Refusal.wrongState(
            "%s is %s; remove it".formatted(path, file ? "a folder" : "no folder"));
      return false;
    }
    if (file) Files.createFile(path);
    else Files.createDirectory(path);
    return true;
  }

  /// Never more than an empty folder or file (BM-117): what is in it may be a volume's.
  static void remove(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) throw Refusal.wrongState(path + " is a link; remove it");
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) > 0)
      throw Refusal.wrongState(path + " is a file with content that is not ours; remove it");
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException _) {
      throw Refusal.wrongState(path + " is not empty and nothing is mounted there; look into it");
    }
  }
}

package dev.berth.driver.disk.node;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Lease;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SharedLook;
import java.nio.file.Path;
import java.util.Optional;

/// What the kernel has of our volumes.
///
/// @param mounts of this machine
/// @param loops of this machine
record Kernel(Mounts mounts, LoopDevices loops) {
  private static final SharedLook<MountTable> TABLE =
      new SharedLook<>(() -> Mounts.ofThisMachine().table());

  static Kernel ofThisMachine() {
    return new Kernel(Mounts.ofThisMachine(), new LoopDevices());
  }

  /// The loop device of a backing file; empty: it has none, or is gone.
  ///
  /// A device has its file open. To ask whether anybody has takes four calls, and needs no other
  /// thread.
  Optional<LoopDevice> loopOf(Path image) {
    if (Lease.showsUnopened(image)) return Optional.empty();
    try {
      return loops.anyOf(image);
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.Missing) return Optional.empty();
      throw e;
    }
  }

  /// Whether the topmost mount at `path` shows the volume with this backing file.
  boolean isMounted(Path image, Path path) {
    FileStatus status;
    try {
      status = FileStatus.of(path);
    } catch (LinuxException _) {
      return mountOf(image, path).isPresent(); // it is not there, or does not answer
    }
    if (status.mountId() == 0) return mountOf(image, path).isPresent();
    if (!status.mountRoot()) return false;
    var number = status.isBlockDevice() ? status.special() : status.device();
    var loop = loops.at(number);
    // A btrfs has a number of its own.
    return loop.isPresent() ? shows(loop.get(), image) : mountOf(image, path).isPresent();
  }

  /// The topmost mount at `path`, if it shows the volume with this backing file.
  Optional<MountEntry> mountOf(Path image, Path path) {
    return mounts
        .at(path)
        .filter(
            entry -> deviceOf(entry).flatMap(loops::at).filter(it -> shows(it, image)).isPresent());
  }

  /// Whether what is mounted at `path` can still be used: a file system that has been shut down
  /// after an error stays mounted (NOD-20).
  boolean answers(Path path) {
    return mounts.state(path) != State.CORRUPTED;
  }

  /// The loop device behind a mount: of its file system, or the device node itself.
  Optional<Path> deviceOf(MountEntry entry) {
    if (entry.root().startsWith("/loop") && entry.type().equals("devtmpfs"))
      return Optional.of(Path.of("/dev" + entry.root()));
    return entry.source().startsWith("/dev/loop")
        ? Optional.of(Path.of(entry.source()))
        : Optional.empty();
  }

  /// A mount of a device, as far as this process sees; empty: there is none.
  Optional<MountEntry> anyMountOf(Path device) {
    return TABLE.now().entries().stream()
        .filter(entry -> entry.source().equals(device.toString()))
        .findFirst();
  }

  /// Also if the backing file was removed meanwhile.
  private static boolean shows(LoopDevice loop, Path image) {
    try {
      var file = FileStatus.of(image);
      if (loop.fileSystem().equals(file.device()) && loop.inode() == file.inode()) return true;
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.Missing)) throw e;
    }
    return loop.backingFile().equals(image + " (deleted)");
  }
}

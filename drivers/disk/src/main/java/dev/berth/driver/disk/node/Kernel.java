package dev.berth.driver.disk.node;

import dev.berth.linux.file.Lease;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the kernel has of our volumes.
///
/// @param mounts of this machine
/// @param loops of this machine
record Kernel(Mounts mounts, LoopDevices loops) {
  static Kernel ofThisMachine() {
    return new Kernel(Mounts.ofThisMachine(), new LoopDevices());
  }

  /// The loop devices of a backing file; none if the file is gone.
  ///
  /// A device has its file open. To ask whether anybody has takes four calls; to go through all
  /// devices of a machine takes some for each, and needs another thread.
  List<LoopDevice> loopsOf(Path image) {
    if (Lease.showsUnopened(image)) return List.of();
    try {
      return loops.of(image);
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.Missing) return List.of();
      throw e;
    }
  }

  /// The topmost mount at `path`, if it shows the volume with this backing file.
  Optional<MountEntry> mountOf(Path image, Path path) {
    return mounts.table().at(path).filter(entry -> shows(entry, image));
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

  /// Also if the backing file was removed meanwhile.
  private boolean shows(MountEntry entry, Path image) {
    return deviceOf(entry)
        .flatMap(loops::at)
        .filter(loop ->
            loopsOf(image).stream().anyMatch(ours -> ours.device().equals(loop.device()))
                || loop.backingFile().equals(image + " (deleted)"))
        .isPresent();
  }
}

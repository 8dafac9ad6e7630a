package dev.berth.driver.disk.node;

import dev.berth.driver.disk.node.Formatter.Outcome;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.HeldLoop;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Turns backing files into devices and mounts, and back.
record Stager(Kernel kernel, FileSystemTools tools) {
  private static final Duration DETACHING = Duration.ofSeconds(3);

  private static final Duration SHORTEST_LOOK = Duration.ofMillis(1);
  private static final Duration LONGEST_LOOK = Duration.ofMillis(200);
  private static final int LOOKS = 300;

  /// Past the page cache of the pool: what lies there only is lost when the pool's disk is full,
  /// even if the volume had acknowledged it.
  private static final LoopOptions RAW = LoopOptions.of(Flag.DIRECT_IO);

  private static final LoopOptions MOUNTED = RAW.with(Flag.AUTO_CLEAR);

  /// Mounts the volume's file system at `directory`, and makes one if the disk is blank.
  void mount(
      Pool pool, String volumeId, Disk disk, Path directory, Access.Mount access, AccessMode mode) {
    var image = disk.image();
    var options = MountFlags.of(access);
    if (mode.readOnly()) options = options.with(MountFlag.RO);
    var mounted = mountedDevice(image);
    if (mounted.isEmpty()) {
      var ready = new Formatter(tools).ensure(pool, volumeId, disk, access.fsType());
      var found = ready.outcome() == Outcome.FOUND;
      try (var loop = attach(volumeId, disk)) {
        var growth = new Growth(kernel, tools);
        var damage = new Damage(tools, volumeId, image, ready.type());
        if (found && !options.has(MountFlag.RO)) damage.recover(loop.device());
        if (found) growth.growUnmounted(ready.type(), image, loop.device());
        try {
          mount(ready.type().word(), loop.device(), directory, access, options);
        } catch (LinuxException e) {
          throw found ? damage.told(e, loop.device()) : e;
        }
        growOrUnmount(volumeId, image, directory);
      }
    } else {
      // Another node of this machine has it: one device, so that both see the same blocks.
      var device = mounted.get();
      mount(mountedType(device), device, directory, access, options);
      if (!kernel.answers(directory)) {
        kernel.mounts().unmount(directory, Unmount.LAZY);
        throw Refusal.wrongState(
            "the file system of volume %s has been shut down after an error and is still mounted"
                    .formatted(volumeId)
                + " elsewhere; unpublish it everywhere, then stage it again");
      }
      growOrUnmount(volumeId, image, directory);
    }
  }

  /// What does not come to its size is not left mounted: who is refused has nothing to take down.
  private void growOrUnmount(String volumeId, Path image, Path directory) {
    try {
      grow(volumeId, image, directory);
    } catch (RuntimeException e) {
      try {
        kernel.mounts().unmount(directory, Unmount.IF_UNUSED);
      } catch (RuntimeException stays) {
        stays.addSuppressed(e);
        throw stays; // the record stays too
      }
      throw e;
    }
  }

  /// Grows what was just staged, or was before whoever staged it had come to that (CSR-02).
  void grow(String volumeId, Path image, Path directory) {
    new Growth(kernel, tools).growStaged(volumeId, image, directory);
  }

  /// Clones of an XFS have its id, and XFS refuses a second one unless told (CSR-03).
  private void mount(
      String type, Path device, Path directory, Access.Mount access, MountOptions options) {
    var own = type.equals("xfs") ? options.with("nouuid") : options;
    try {
      kernel.mounts().mount(type, device.toString(), directory, own);
    } catch (LinuxException e) {
      // It is mounted elsewhere, and in another way.
      if (e.failure() instanceof Failure.Busy)
        throw Refusal.busy(
            "%s cannot be mounted at %s: something holds it; ask again"
                .formatted(device, directory));
      if (access.flags().isEmpty()
          || !(e.failure() instanceof Failure.Invalid(var errno, var detail))
          || errno != Errno.EINVAL) throw e;
      throw Refusal.invalid(
          "%s does not take these mount_flags: %s"
              .formatted(type, detail.isEmpty() ? errno.meaning() : detail)); // NOD-12
    }
  }

  private Optional<Path> mountedDevice(Path image) {
    return kernel
        .loopOf(image)
        .map(LoopDevice::device)
        .filter(device -> kernel.anyMountOf(device).isPresent());
  }

  private String mountedType(Path device) {
    return kernel.anyMountOf(device).map(MountEntry::type).orElse(FileSystemType.EXT4.word());
  }

  /// A device that goes with its mount. Somebody else's device on the same file would have a cache
  /// of its own: both would destroy the file system.
  private HeldLoop attach(String volumeId, Disk disk) {
    var image = disk.image();
    waitUntilDetached(image);
    var other = kernel.loopOf(image);
    if (other.isPresent())
      throw Refusal.busy(
          "the disk of volume %s is still held as %s; ask again when it is released, `berth disk fsck`"
                  .formatted(volumeId, other.get().device())
              + " says what may hold it");
    var loop = kernel.loops().attach(image, MOUNTED.withBlocks(disk.sectorBytes()));
    BlockDevice.makeWritable(loop.device()); // whoever had the number before may have forbidden it
    return loop;
  }

  /// The raw device of a volume, made if there is none. It stays until [#release]. Whether it may
  /// be written to is decided where it is shown: the next to show it may want it otherwise.
  Path device(Disk disk) {
    var present = kernel.loopOf(disk.image());
    if (present.isPresent()) return present.get().device();
    try (var loop = kernel.loops().attach(disk.image(), RAW.withBlocks(disk.sectorBytes()))) {
      return loop.device();
    }
  }

  /// Takes down what does not go by itself: raw devices.
  void release(Path image) {
    for (var looks = 0; looks < LOOKS; looks++) {
      var loop = kernel.loopOf(image).filter(it -> !it.flags().contains(Flag.AUTO_CLEAR));
      if (loop.isEmpty()) return;
      BlockDevice.makeWritable(loop.get().device()); // or the number's next user could not write
      kernel.loops().detach(loop.get().device());
    }
  }

  /// Takes away mounts of this volume at `path` that do not answer, whoever has files open there.
  void unmountDead(Path image, Path path) {
    for (var layers = 0; layers < LOOKS; layers++) {
      if (!kernel.isMounted(image, path) || kernel.answers(path)) return;
      kernel.mounts().unmount(path, Unmount.LAZY);
    }
  }

  /// Takes away every mount of this volume at `path`; those of others stay (NOD-16, NOD-18).
  void unmountAll(Path image, Path path) {
    for (var layers = 0; layers < LOOKS; layers++) {
      if (!kernel.isMounted(image, path)) return;
      kernel.mounts().unmount(path, kernel.answers(path) ? Unmount.IF_UNUSED : Unmount.LAZY);
    }
    throw Refusal.busy("something mounts the volume at %s again and again".formatted(path));
  }

  /// The kernel takes an auto-clear device down a moment after its last mount, and tells nobody.
  /// Mounts that another name space has may hold it for longer: who waits looks ever more seldom,
  /// since hundreds may wait at once.
  void waitUntilDetached(Path image) {
    var end = System.nanoTime() + DETACHING.toNanos();
    for (var pause = SHORTEST_LOOK;
        System.nanoTime() < end && detaching(image);
        pause = pause.compareTo(LONGEST_LOOK) < 0 ? pause.multipliedBy(2) : pause) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean detaching(Path image) {
    return kernel
        .loopOf(image)
        .filter(loop -> loop.flags().contains(Flag.AUTO_CLEAR))
        .filter(loop -> kernel.anyMountOf(loop.device()).isEmpty())
        .isPresent();
  }
}

package dev.berth.driver.disk.node;

import dev.berth.driver.disk.image.FileSystemSize;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.nio.file.Path;

/// Brings devices and file systems to the size of their backing files.
record Growth(Kernel kernel, FileSystemTools tools) {
  void growDevice(Path image, Path device) {
    if (BlockDevice.size(device) < image.toFile().length()) kernel.loops().takeOverSize(device);
  }

  /// Grows a file system that is in use.
  void growMounted(String volumeId, Path image, MountEntry mount, Path device) {
    if (!FileSystemSize.isBehind(image)) return;
    var type = FileSystemType.named(mount.type()).orElse(FileSystemType.EXT4);
    try {
      tools.growMounted(type, device, mount.target());
    } catch (LinuxException e) {
      if (type == FileSystemType.EXT4 && notAllowed(e))
        throw Refusal.wrongState(
            "volume %s cannot grow while it is mounted: ext4 needs CAP_SYS_RESOURCE for that, which"
                    .formatted(volumeId)
                + " this process lacks; it grows when it is staged next");
      throw e;
    }
  }

  /// Grows a staged XFS or btrfs, which grow only mounted. Nothing is written to what is mounted to
  /// be read only.
  void growStaged(String volumeId, Path image, Path directory) {
    var mount = kernel.mountOf(image, directory).orElseThrow();
    if (mount.readOnly() || mount.type().equals(FileSystemType.EXT4.word())) return;
    growMounted(volumeId, image, mount, kernel.deviceOf(mount).orElseThrow());
  }

  /// Grows an ext4 that was expanded, cloned or restored to a larger disk, before it is mounted.
  /// The others grow mounted.
  void growUnmounted(FileSystemType type, Path image, Path device) {
    if (type == FileSystemType.EXT4 && FileSystemSize.isBehind(image))
      tools.growUnmountedExt4(device);
  }

  private static boolean notAllowed(LinuxException e) {
    return e.failure() instanceof Failure.NotPermitted
        || (e.failure() instanceof Failure.ToolFailed failed
            && failed.output().contains("Permission denied"));
  }
}

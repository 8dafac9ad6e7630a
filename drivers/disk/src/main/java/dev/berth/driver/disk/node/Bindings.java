package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.model.Access;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Depth;
import java.nio.file.Path;

/// Brings what is staged to where a pod looks for it. What was made for that goes if it fails.
record Bindings(Kernel kernel, Stager stager) {
  void folder(Path staged, Target wanted) {
    var flags =
        wanted.usage().access() instanceof Access.Mount mount
            ? MountFlags.of(mount).flagsOnly()
            : MountOptions.NONE;
    if (wanted.readOnly()) flags = flags.with(MountFlag.RO);
    bind(staged, wanted.path(), flags, Targets.makeFolder(wanted.path()));
  }

  /// A read-only bind would not keep anybody from writing: the device itself has to (CAP-06). All
  /// who show it agree on that.
  void device(Disk disk, Target wanted) {
    var device = stager.device(disk);
    if (wanted.readOnly()) BlockDevice.makeReadOnly(device);
    else BlockDevice.makeWritable(device);
    bind(device, wanted.path(), MountOptions.NONE, Targets.makeFile(wanted.path()));
  }

  private void bind(Path source, Path target, MountOptions flags, boolean made) {
    try {
      kernel.mounts().bind(source, target, Depth.ONE, flags);
    } catch (RuntimeException e) {
      if (made) Targets.remove(target);
      throw e;
    }
  }
}

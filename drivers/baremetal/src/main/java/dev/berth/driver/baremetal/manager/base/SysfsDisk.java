package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import java.nio.file.Path;

/// A disk, as the kernel shows it without a word to the disk.
///
/// @param name such as `sda`, `nvme0n1`
/// @param folder its folder in sysfs
/// @param size bytes
record SysfsDisk(String name, Path folder, DriveIdentity identity, DriveType type, long size) {
  Path device() {
    return Path.of("/dev").resolve(name);
  }

  boolean nvme() {
    return type == DriveType.NVME;
  }
}

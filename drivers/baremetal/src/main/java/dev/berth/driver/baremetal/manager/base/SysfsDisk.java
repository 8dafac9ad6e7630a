package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import java.nio.file.Path;

/// A disk, as the kernel shows it without a word to the disk.
///
/// @param name such as `sda`, `nvme0n1`
/// @param folder its folder in sysfs
/// @param note name of what udev notes of it, as `b8:16`; empty: it has no number
/// @param size bytes
record SysfsDisk(
    String name, Path folder, String note, DriveNames names, DriveType type, long size) {
  DriveIdentity identity() {
    return names.identity();
  }

  Path device() {
    return Path.of("/dev").resolve(name);
  }

  boolean nvme() {
    return type == DriveType.NVME;
  }
}

package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.util.Optional;

/// What the kernel says of a block device that is looked at again and again. Asking never touches
/// the device.
final class OpenDevice implements AutoCloseable {
  private final Sleep sleep;
  private final KernelFile readOnly;
  private final KernelFile statistics;

  /// @param sysfs where sysfs is
  OpenDevice(Path sysfs, DeviceNumber number) {
    var folder = sysfs.resolve("dev/block").resolve(number.toString());
    this.sleep = Sleep.of(sysfs, number);
    this.readOnly = new KernelFile(folder.resolve("ro"));
    this.statistics = new KernelFile(folder.resolve("stat"));
  }

  /// Its flag; empty: there is no such device.
  Optional<String> readOnly() {
    return readOnly.read();
  }

  /// What it has done so far; empty: it is not there, or nobody counts.
  Optional<Activity> activity() {
    return statistics.read().flatMap(Activity::tryParse);
  }

  Sleep sleep() {
    return sleep;
  }

  @Override
  public void close() {
    readOnly.close();
    statistics.close();
  }
}

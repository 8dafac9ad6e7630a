package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.util.Optional;

/// What a block device has done so far, as the kernel counts it. Asking never touches the device.
///
/// @param completed reads and writes that it has finished since it came
/// @param underWay what it has been given and has not finished
record Activity(long completed, long underWay) {
  private static final int READS = 0;
  private static final int WRITES = 4;
  private static final int UNDER_WAY = 8;

  /// @param sysfs where sysfs is
  /// @return empty: the device is not there, or nobody counts
  static Optional<Activity> of(Path sysfs, DeviceNumber device) {
    var file = sysfs.resolve("dev/block").resolve(device.toString()).resolve("stat");
    try {
      return KernelFile.read(file).map(Activity::parse);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Reads the kernel's line.
  static Activity parse(String line) {
    var words = line.strip().split(" +", -1);
    if (words.length <= UNDER_WAY) throw new IllegalArgumentException("no statistics: " + line);
    return new Activity(
        Long.parseLong(words[READS]) + Long.parseLong(words[WRITES]),
        Long.parseLong(words[UNDER_WAY]));
  }
}

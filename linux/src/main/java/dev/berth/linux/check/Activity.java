package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.util.Optional;
import java.util.StringTokenizer;

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
    return KernelFile.read(file).flatMap(Activity::tryParse);
  }

  /// [#parse]; empty: nobody counts.
  static Optional<Activity> tryParse(String line) {
    try {
      return Optional.of(parse(line));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Reads the kernel's line.
  static Activity parse(String line) {
    var words = new StringTokenizer(line);
    long completed = 0;
    for (int at = 0; words.hasMoreTokens(); at++) {
      var word = words.nextToken();
      if (at == READS || at == WRITES) completed += Long.parseLong(word);
      if (at == UNDER_WAY) return new Activity(completed, Long.parseLong(word));
    }
    throw new IllegalArgumentException("no statistics: " + line);
  }
}

package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Whether a device is one that sleeps. Asking does not wake it.
///
/// @param turns whether it is a disk that turns: no other is asked more
/// @param power the file that says whether the kernel has put it to sleep
record Sleep(boolean turns, Path power) {
  /// What stays true of a device as long as it is there.
  ///
  /// @param sysfs where sysfs is
  static Sleep of(Path sysfs, DeviceNumber device) {
    var folder = whole(sysfs.resolve("dev/block").resolve(device.toString()));
    return new Sleep(
        says(folder.resolve("queue/rotational"), "1"),
        folder.resolve("device/power/runtime_status"));
  }

  /// @param since reads and writes since the last check
  Rest.Situation now(long since) {
    return new Rest.Situation(turns, turns && says(power, "suspended"), since);
  }

  /// The folder of a partition lies in that of its disk.
  private static Path whole(Path device) {
    try {
      var folder = device.toRealPath();
      return Files.exists(folder.resolve("partition"))
          ? Objects.requireNonNull(folder.getParent())
          : folder;
    } catch (IOException _) {
      return device;
    }
  }

  /// A device without the file does not sleep.
  private static boolean says(Path file, String word) {
    return KernelFile.read(file).filter(word::equals).isPresent();
  }
}

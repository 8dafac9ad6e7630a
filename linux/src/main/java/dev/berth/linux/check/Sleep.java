package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Whether a device is one that sleeps. Asking does not wake it.
final class Sleep {
  private Sleep() {}

  /// @param since reads and writes since the last check
  static Rest.Situation of(Path sysfs, DeviceNumber device, long since) {
    var folder = whole(sysfs.resolve("dev/block").resolve(device.toString()));
    return new Rest.Situation(
        word(folder.resolve("queue/rotational")).equals("1"),
        word(folder.resolve("device/power/runtime_status")).equals("suspended"),
        since);
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

  private static String word(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return ""; // a device without it does not sleep
    }
  }
}

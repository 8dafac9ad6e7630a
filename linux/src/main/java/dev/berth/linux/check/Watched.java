package dev.berth.linux.check;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;
import java.util.Optional;

/// A volume that is looked after.
///
/// @param id any name, one for each
/// @param device its block device
/// @param number of that device
/// @param place where its file system is mounted; empty: a raw device
/// @param wanted whether its users want to write
/// @param touch whether the volume itself may be read and written for a check (BM-195)
public record Watched(
    String id,
    Path device,
    DeviceNumber number,
    Optional<Path> place,
    MountedCheck.Wanted wanted,
    Touch touch) {
  /// How a volume is checked.
  public enum Touch {
    /// Small reads and writes show whether it works.
    PROBED,
    /// Only what the kernel says by itself is heard.
    LEFT_ALONE
  }

  /// @throws dev.berth.linux.sys.LinuxException if there is no such device
  public static Watched fileSystem(
      String id, Path device, Path place, MountedCheck.Wanted wanted, Touch touch) {
    return new Watched(
        id, device, FileStatus.of(device).special(), Optional.of(place), wanted, touch);
  }

  /// A raw device, which is only ever read.
  ///
  /// @throws dev.berth.linux.sys.LinuxException if there is no such device
  public static Watched raw(String id, Path device, Touch touch) {
    return new Watched(
        id,
        device,
        FileStatus.of(device).special(),
        Optional.empty(),
        MountedCheck.Wanted.READ_ONLY,
        touch);
  }
}

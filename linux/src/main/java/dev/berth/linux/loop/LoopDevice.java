package dev.berth.linux.loop;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.util.Set;

/// A loop device that has a backing file.
///
/// @param device such as `/dev/loop3`
/// @param fileSystem device of the file system that holds the backing file
/// @param inode of the backing file
/// @param flags what it was attached with
/// @param backingFile as sysfs shows it: for people; it ends with ` (deleted)` if the file was
///   removed, and may be a path of another name space
public record LoopDevice(
    Path device,
    DeviceNumber fileSystem,
    long inode,
    Set<LoopOptions.Flag> flags,
    String backingFile) {
  public LoopDevice {
    flags = Set.copyOf(flags);
  }
}

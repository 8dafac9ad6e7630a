package dev.berth.linux.loop;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Where the devices of files were when somebody looked last: where to look first. Whether they are
/// there still, only the kernel knows.
final class KnownLoops {
  /// What the kernel knows a file by.
  private record File(DeviceNumber fileSystem, long inode) {}

  private final Map<File, Path> devices = new HashMap<>(); // guarded by this, like the next
  private final Map<Path, File> files = new HashMap<>();

  synchronized Optional<Path> of(FileStatus file) {
    return Optional.ofNullable(devices.get(new File(file.device(), file.inode())));
  }

  /// A device shows one file: what it showed before is forgotten.
  synchronized void put(DeviceNumber fileSystem, long inode, Path device) {
    var file = new File(fileSystem, inode);
    var earlier = files.put(device, file);
    if (earlier != null && !earlier.equals(file)) devices.remove(earlier, device);
    devices.put(file, device);
  }

  synchronized void forget(FileStatus file, Path device) {
    devices.remove(new File(file.device(), file.inode()), device);
  }
}

package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.sys.Descriptor;
import java.io.IOException;
import java.nio.file.Path;

/// The device of a drive that is written to. As long as somebody has a device open the kernel gives
/// its name to no other disk, whatever is pulled and plugged in: what follows may go by its name
/// (BM-55).
///
/// @param path as it was found, and as it stays
/// @param open lets go when it is closed
record HeldDevice(Path path, Descriptor open) implements AutoCloseable {
  /// @throws IOException if the node does not have the drive, or it is being moved just now
  static HeldDevice of(DriveManager manager, Drive drive) throws IOException {
    var path = found(manager, drive);
    var open = BlockDevice.hold(path);
    try {
      // what had the name when it was opened may be another by then; from now on it stays
      if (!found(manager, drive).equals(path))
        throw new IOException("drive %s is not at %s any more".formatted(drive.identity(), path));
      return new HeldDevice(path, open);
    } catch (IOException | RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private static Path found(DriveManager manager, Drive drive) throws IOException {
    return manager
        .find(drive)
        .orElseThrow(() -> new IOException("the node does not have drive " + drive.identity()));
  }

  @Override
  public void close() {
    open.close();
  }
}

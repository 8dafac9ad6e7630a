package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.registry.Registry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Where a volume's device is: the drive's own, or one of the drive's file system (BM-210). Asked
/// anew each time, by the drive's serial number (BM-55).
///
/// @param locks who lets a device of a shared drive appear has the drive for himself
public record VolumeDevices(
    Registry registry, DriveManager manager, Pools pools, DriveLocks locks) {
  /// The volume's device, if there is one now; only looks.
  Optional<Path> find(LocalVolume volume) throws IOException {
    var drive = drive(volume);
    return drive.isEmpty() ? Optional.empty() : find(volume, drive.get());
  }

  /// [#find(LocalVolume)] on a drive that is known.
  Optional<Path> find(LocalVolume volume, Drive drive) throws IOException {
    var device = manager.find(drive);
    if (device.isEmpty()) return device;
    return switch (volume.layout()) {
      case DRIVE -> device;
      case PARTITION ->
          DrivePartition.possible(device.get())
              ? DrivePartition.find(device.get(), volume)
              : device;
      case SHARE -> pools.find(drive, volume.meta().uid());
    };
  }

  /// Where the volume's drive itself is, whatever is to be found on it; empty: the node does not
  /// have it.
  ///
  /// @throws IOException also if something is there that may be the drive
  public Optional<Path> findDrive(LocalVolume volume) throws IOException {
    var drive = drive(volume);
    if (drive.isEmpty()) return Optional.empty();
    var device = manager.find(drive.get());
    if (device.isEmpty() && manager.mayBeThere(drive.get()))
      throw new IOException( // BM-23, BM-154
          "a disk that has a serial number of drive %s (%s) is there, and nobody can say whether it is the drive; the conditions of the drive's object say what to do"
              .formatted(drive.get().uuid(), drive.get().identity()));
    return device;
  }

  /// The volume's device, which is there afterwards.
  ///
  /// @return empty: the drive is not there
  Optional<Path> open(LocalVolume volume) throws IOException {
    var drive = drive(volume);
    if (drive.isEmpty()) return Optional.empty();
    var device = manager.find(drive.get());
    if (device.isEmpty()) return device;
    locks.alone(drive.get().uuid(), () -> appear(volume, drive.get(), device.get()));
    return find(volume, drive.get());
  }

  private void appear(LocalVolume volume, Drive drive, Path device) throws IOException {
    switch (volume.layout()) {
      case DRIVE -> {}
      case PARTITION -> {
        if (DrivePartition.possible(device) && DrivePartition.open(device, volume).isEmpty())
          throw new IOException("the drive does not bear the partition of volume " + volume.id());
      }
      case SHARE -> {
        var _ = pools.open(drive, volume.meta().uid());
      }
    }
  }

  /// Makes the device as large as the volume is by now.
  void grow(LocalVolume volume) throws IOException {
    var drive = drive(volume);
    if (drive.isPresent() && volume.layout() == Layout.SHARE)
      locks.alone(
          drive.get().uuid(), () -> pools.reserve(drive.get(), volume.meta().uid(), volume.size()));
  }

  /// Lets go of a device that nobody uses any more.
  void close(LocalVolume volume) throws IOException {
    var drive = drive(volume);
    if (drive.isPresent() && volume.layout() == Layout.SHARE)
      locks.alone(drive.get().uuid(), () -> pools.release(drive.get(), volume.meta().uid()));
  }

  private Optional<Drive> drive(LocalVolume volume) {
    return volume.drive().flatMap(registry::drive);
  }
}

package dev.berth.driver.disk.pool;

import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;
import java.util.Map;

/// A backing file and the device that is made of it.
///
/// @param sectorBytes smallest piece that the device reads and writes
public record Disk(Path image, int sectorBytes, Allocation allocation) {
  static final String SECTOR = "sector";
  public static final int SMALL = 512;

  /// What the largest pieces are that a device can have.
  private static final int LARGEST = 4096;

  /// How a new disk in this file has to be so that it can go past the page cache of its pool: what
  /// stays there is lost when the pool's disk is full, even if it was acknowledged. A disk of
  /// smaller sectors than the one below it cannot.
  public static int sectorFor(Path image) {
    var unit = FileStatus.directIoUnit(image);
    return unit > SMALL && unit <= LARGEST ? unit : SMALL;
  }

  static int sector(Map<String, String> values) {
    return Integer.parseInt(values.getOrDefault(SECTOR, Integer.toString(SMALL)));
  }

  public Disk {
    if (Integer.bitCount(sectorBytes) != 1 || sectorBytes < SMALL || sectorBytes > LARGEST)
      throw new IllegalArgumentException("sectors of %d bytes".formatted(sectorBytes));
  }
}

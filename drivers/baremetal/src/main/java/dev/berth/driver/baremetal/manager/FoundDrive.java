package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import java.nio.file.Path;
import java.util.List;

/// A drive, as a manager found it in one pass.
///
/// @param names which drive it is
/// @param path its device node now
/// @param size bytes; 0: nobody can say
/// @param obstacles why nobody may have it, apart from what a volume of ours puts on it: `holds
///   ext4`, `mounted`, `read-only`; empty: it is blank and nobody uses it (BM-56)
/// @param system whether the machine itself lives on it
/// @param named whether whoever set the driver up has named it as one that volumes may have: a
///   machine's disk that is blank is not for that reason anybody's (BM-211)
public record FoundDrive(
    DriveNames names,
    DriveType type,
    long size,
    Path path,
    Health health,
    List<String> obstacles,
    boolean system,
    boolean named,
    DriveManager.Led led) {
  public FoundDrive {
    obstacles = List.copyOf(obstacles);
  }

  /// Whether it can be the drive that is registered so ([DriveNames#canBe]).
  public boolean canBe(Drive registered) {
    return names.canBe(registered, size);
  }

  /// What it says of itself now.
  public DriveIdentity identity() {
    return names.identity();
  }
}

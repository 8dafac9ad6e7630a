package dev.berth.driver.baremetal.manager.loopback;

import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;

/// A drive as the configuration file describes it.
///
/// @param size bytes
/// @param removed as if somebody had pulled it
/// @param named false: nobody has said yet that volumes may have it, as of a machine's disk
record LoopbackDrive(
    DriveIdentity identity,
    long size,
    boolean removed,
    boolean named,
    Health health,
    DriveType type,
    Led led) {}

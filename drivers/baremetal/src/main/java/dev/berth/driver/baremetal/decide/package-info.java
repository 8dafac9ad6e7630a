/// What is done about drives and volumes on a node, decided by pure functions. Start at
/// [DriveKeeper] and [VolumeKeeper].
@NullMarked
package dev.berth.driver.baremetal.decide;

import org.jspecify.annotations.NullMarked;

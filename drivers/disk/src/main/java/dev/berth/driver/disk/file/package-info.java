/// Small files and folders that outlive a crash, and the names in them. Start at [StateFile].
///
/// Always: only their owner can open them (`OwnerOnlyTest`); a name that somebody else gave is no
/// part of a path unless it is harmless ([Ids], `HostileInputTest`).
@NullMarked
package dev.berth.driver.disk.file;

import org.jspecify.annotations.NullMarked;

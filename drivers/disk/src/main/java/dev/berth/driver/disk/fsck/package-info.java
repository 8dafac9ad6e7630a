/// `berth disk fsck`: whether everything that a pool has, on disk and in the kernel, belongs to
/// something. Start at [PoolCheck].
///
/// Always: what one look finds counts only if a second look finds it too, for drivers go on working
/// meanwhile. What a living process works on is locked, and is not a finding (`FsckTest`).
///
/// Never: changes anything (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.driver.disk.fsck;

import org.jspecify.annotations.NullMarked;

/// Who has what of a pool for himself, among threads and processes. Start at [Holds].
///
/// Always: what a process held is free when it has ended, however it did (`PoolLocksTest`).
@NullMarked
package dev.berth.driver.disk.lock;

import org.jspecify.annotations.NullMarked;

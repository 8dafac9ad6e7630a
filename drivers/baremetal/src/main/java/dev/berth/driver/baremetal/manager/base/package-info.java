/// The drives of the machine itself (BM-52, BM-53): what sysfs, smartctl and nvme say of them.
/// Start at [BaseManager].
///
/// Always: a drive that does not answer keeps nobody waiting for the others (`BaseManagerTest`).
@NullMarked
package dev.berth.driver.baremetal.manager.base;

import org.jspecify.annotations.NullMarked;

/// The driver `disk.berth.dev`: disks that are files, on one machine with any number of node
/// services. Start at [DiskDriver].
///
/// `pool` holds what stands on disk, `controller` what a CSI controller does with it, `node` what
/// happens on a node: loop devices, file systems, mounts.
///
/// Always: after the end of a process at any instruction every call can be made again (`CrashTest`
/// ends it at random ones, `ClaimTest` and `CopiesTest` at chosen ones).
@NullMarked
package dev.berth.driver.disk;

import org.jspecify.annotations.NullMarked;

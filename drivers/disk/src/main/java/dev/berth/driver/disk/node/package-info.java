/// What happens to volumes on a node: the backing file becomes a loop device, that is mounted where
/// it is staged, and bound to where it is published. Start at [DiskNode].
///
/// Always: whether something is staged or published is decided by what the kernel has mounted; the
/// records say only how it was meant. A file system is made in a file beside the backing file and
/// renamed onto it when it is whole, so there is never half of one (`FormatTest`).
///
/// Never: formats a backing file that holds any data; removes more than an empty folder or file
/// where something was mounted; touches the mount of another volume (`LifeOfAVolumeTest`).
@NullMarked
package dev.berth.driver.disk.node;

import org.jspecify.annotations.NullMarked;

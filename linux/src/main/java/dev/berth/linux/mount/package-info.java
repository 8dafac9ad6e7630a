/// Mounts: making, changing and removing them, and what is mounted where. Start at [Mounts].
///
/// Always: what is mounted is read from the kernel, nothing is remembered here
/// (`MountsOnThisMachineTest`). Never: `mount`, `umount` or `findmnt` (SYS-30,
/// `AbsencesArchitectureTest`); a lazy unmount that the caller did not ask for.
@NullMarked
package dev.berth.linux.mount;

import org.jspecify.annotations.NullMarked;

/// Files as block devices: loop devices made, found, resized and taken down. Start at
/// [LoopDevices].
///
/// Always: a device is found by what the kernel says its file is (device and inode), never by the
/// text of a path (`LoopDevicesTest`). Never: a device that outlives a crash unused: attached with
/// auto-clear, it goes with its last user (SYS-13, `LoopDevicesTest`).
@NullMarked
package dev.berth.linux.loop;

import org.jspecify.annotations.NullMarked;

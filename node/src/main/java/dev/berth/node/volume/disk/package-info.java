/// Volumes on this machine's disk: the kubelet's directories and notes beside the drivers' mounts.
/// Start at [KubeletFiles].
///
/// Always: a directory is removed by its name, empty, with nothing mounted on it
/// (`KubeletFilesTest`). Never: a recursive delete (`KubeletFilesTest`); a look into a driver's
/// mount, which may hang.
@NullMarked
package dev.berth.node.volume.disk;

import org.jspecify.annotations.NullMarked;

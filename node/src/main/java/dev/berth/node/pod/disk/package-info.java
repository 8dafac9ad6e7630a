/// Pods on this machine's disk: their directories, and the volumes in them that need no storage
/// driver. Start at [KubeletPodFiles].
///
/// Always: a tree is deleted only where nothing is mounted and only what this package has put there
/// (`KubeletPodFilesTest`); whatever else is found stays, and the pod with it (NCLN-03).
@NullMarked
package dev.berth.node.pod.disk;

import org.jspecify.annotations.NullMarked;

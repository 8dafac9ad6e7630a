/// Keeps a pod of a DaemonSet on each node that it is for, as kube-controller-manager's daemonset
/// controller. Start at [DaemonSets].
///
/// Always: a pod is bound to its node by affinity, so that it is the scheduler who places it
/// (`DaemonSetsTest`). Not done: `maxSurge`; a set that asks for it is not rolled out, and that is
/// told.
@NullMarked
package dev.berth.controller.daemonset;

import org.jspecify.annotations.NullMarked;

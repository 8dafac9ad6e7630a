/// Keeps as many pods as a ReplicaSet wants, as kube-controller-manager's replicaset controller.
/// Start at [ReplicaSets].
///
/// Always: what a set has in its pods is counted from the pods themselves (`ReplicaSetsTest`).
@NullMarked
package dev.berth.controller.replicaset;

import org.jspecify.annotations.NullMarked;

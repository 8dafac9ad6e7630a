/// Leads Deployments from one template to the next by their ReplicaSets, as
/// kube-controller-manager's deployment controller. Start at [Deployments].
///
/// Always: while pods are replaced, no fewer are available and no more are there than the strategy
/// allows (`DeploymentsTest`).
@NullMarked
package dev.berth.controller.deployment;

import org.jspecify.annotations.NullMarked;

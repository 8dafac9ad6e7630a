/// Keeps the pods of StatefulSets and their claims, as kube-controller-manager's statefulset
/// controller (spec/control-plane.md, STS-01 to STS-07). Start at [StatefulSets].
///
/// Always: a pod's claims are there before it is (STS-01, `SetDecisionTest`). Never: two pods of
/// one ordinal, or a claim deleted whose set retains it (`SimulationTest`, by its invariant
/// `SetsKeepTheirClaims`): a claim is only given an owner, and goes with that.
@NullMarked
package dev.berth.controller.statefulset;

import org.jspecify.annotations.NullMarked;

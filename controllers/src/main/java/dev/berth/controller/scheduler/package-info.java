/// Gives pods nodes that their volumes can reach (spec/control-plane.md, section 6). Start at
/// [Scheduler].
///
/// One pod at a time needs no queue and no cycle: each look at a pod filters the nodes anew, and
/// what was chosen stands in the API, as `claimRef` of a volume that was there or as
/// `selected-node` of a claim whose volume is to be made. A later look reads it there and comes to
/// the same node (SCHED-18); so does a look at another pod, which finds the place taken. Pods are
/// placed side by side; who is second at a volume or claim gets a conflict and looks again.
///
/// Always: a pod is given its node when all of its claims are bound (`SchedulingDecisionTest`,
/// SCHED-17); from when the first thing is written for it on a node it has its place there
/// (`PinsTest`, SCHED-16). Never: moves or removes `selected-node` (`SchedulingDecisionTest`,
/// SCHED-19, SCHED-47).
///
/// Deliberately absent: budgets of disruptions where pods of lower priority make room (SCHED-48).
/// Required pod affinity and topology spread are refused, not ignored (SCHED-06).
@NullMarked
package dev.berth.controller.scheduler;

import org.jspecify.annotations.NullMarked;

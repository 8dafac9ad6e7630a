/// Which drivers an object concerns: one question for each change, however many drivers there are.
/// Start at [Concerned].
///
/// Always: a driver is told of each change that any of its deciders comes to a key for
/// (`ConcernedTest`). Never: a change of a claim, of a volume, of an attachment or on a node costs
/// more with more drivers (`DispatchTest`). What is nobody's alone is still everybody's: the source
/// of a copy or of a restored volume, which the drivers all let go of, and of the monitors of nodes
/// each pod.
@NullMarked
package dev.berth.sidecar.dispatch;

import org.jspecify.annotations.NullMarked;

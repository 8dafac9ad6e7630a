/// Which drivers an object concerns: one question for each change, however many drivers there are.
/// Start at [Concerned].
///
/// Always: a driver is told of each change that any of its deciders comes to a key for
/// (`ConcernedTest`). Never: costs more with more drivers (`DispatchTest`).
@NullMarked
package dev.berth.sidecar.dispatch;

import org.jspecify.annotations.NullMarked;

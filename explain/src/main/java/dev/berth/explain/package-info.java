/// Why an object is stuck: the chain of waits, from the object that was asked about down to the one
/// that blocks (spec/explain.md). Start at [Explainer].
///
/// Always: the waits are those of the decisions that act, run over a snapshot; there is no second
/// model of the life cycle; and why an act failed the last time is what the objects tell of it
/// (`voice.Failures`; `EveryWaitTest`). Never: writes anything (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.explain;

import org.jspecify.annotations.NullMarked;

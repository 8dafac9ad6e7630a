/// From a pod's text to containers that can be started: environment, user, mounts (spec/node.md,
/// section 13). Start at [Assembly].
///
/// Always: what this agent does not do is either refused or told, never ignored silently ([Limits],
/// `LimitsTest`). Never: a decision; all of it may be done again (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.pod.start;

import org.jspecify.annotations.NullMarked;

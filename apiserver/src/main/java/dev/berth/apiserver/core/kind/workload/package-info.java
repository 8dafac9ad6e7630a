/// Pods, what makes them, and what says how many of them may go: defaults, and what is wrong with
/// one. Nothing here runs anything. Start at [WorkloadBook].
@NullMarked
package dev.berth.apiserver.core.kind.workload;

import org.jspecify.annotations.NullMarked;

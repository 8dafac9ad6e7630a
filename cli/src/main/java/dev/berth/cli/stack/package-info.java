/// What one process runs: which rooms, started and stopped in which order. Start at [Stack].
///
/// Always: whatever was started is stopped, in the reverse order, also when a start fails half-way
/// (`ClosingTest`).
@NullMarked
package dev.berth.cli.stack;

import org.jspecify.annotations.NullMarked;

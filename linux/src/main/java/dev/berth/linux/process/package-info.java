/// Processes that are not our children: who they are, whether they live, their end, signals to
/// them.
///
/// Always: a process is known by its number, start time and boot, so a reused number is never
/// mistaken for it (`ProcessesTest`); signals go through a pidfd. Never: polls for an end
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.linux.process;

import org.jspecify.annotations.NullMarked;

/// What a check has in its hands: the driver, requests that are right as they stand, folders, and
/// the means to clean up. Start at [Trial].
///
/// Always: whatever a check makes is noted before the driver hears of it and undone at the end,
/// also after a failure or Ctrl-C (`CleaningTest`).
///
/// Never: a recursive delete (`AbsencesArchitectureTest`). Folders are removed when they are empty,
/// or stay and are reported.
@NullMarked
package dev.berth.conform.trial;

import org.jspecify.annotations.NullMarked;

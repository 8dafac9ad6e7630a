/// The list of all controllers' deciders: start at [Controllers].
///
/// Always: a decider of this room stands in it (`DecidersArchitectureTest`), so that what acts can
/// be asked.
@NullMarked
package dev.berth.controller.roster;

import org.jspecify.annotations.NullMarked;

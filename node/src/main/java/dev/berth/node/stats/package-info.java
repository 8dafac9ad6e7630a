/// How full and how well the volumes are that are mounted here, as their drivers say (NSTA-01 to
/// NSTA-03). Start at [VolumeStats].
///
/// Always: what is shown was asked before, never for whoever looks; one call at a time for each
/// mount, so that a driver that hangs holds up nothing else (`VolumeStatsTest`).
@NullMarked
package dev.berth.node.stats;

import org.jspecify.annotations.NullMarked;

package dev.berth.sidecar.health;

import java.time.Duration;

/// How often the monitor looks, and at what.
///
/// @param walks time between two walks through all volumes
/// @param looks time between two questions for one volume, where the driver lists none
/// @param nodes whether it tells claims of nodes that fail (HM-05)
record Rhythm(Duration walks, Duration looks, boolean nodes) {}

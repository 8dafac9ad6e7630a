package dev.berth.node.health;

import dev.berth.volume.health.Report;
import java.time.Instant;
import java.util.Optional;

/// What a driver said of one volume.
///
/// @param asked when it was asked last
/// @param speaks whether it tells of health at all; who does not is not asked again
/// @param report what it said last; empty: it never answered
record Said(Instant asked, boolean speaks, Optional<Report> report) {}

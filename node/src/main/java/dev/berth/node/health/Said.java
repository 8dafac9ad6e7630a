package dev.berth.node.health;

import dev.berth.volume.health.Report;
import java.time.Instant;
import java.util.Optional;

/// What a driver said of one volume.
///
/// @param registration which of the driver was asked: another may say more
/// @param asked when it was asked last
/// @param speaks whether it tells of health at all; who does not is not asked again, but another
///   registration
/// @param report what it said last; empty: it never answered
record Said(long registration, Instant asked, boolean speaks, Optional<Report> report) {}

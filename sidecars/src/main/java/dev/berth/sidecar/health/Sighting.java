package dev.berth.sidecar.health;

import dev.berth.volume.health.Report;
import java.time.Instant;
import java.util.Optional;

/// One volume as its driver showed it last.
///
/// @param report empty: it has been asked for, and never with success
/// @param asked when it was last asked for by itself; empty: never
/// @param shownIn number of the last walk that it was in, or that it was asked for after
record Sighting(Optional<Report> report, Optional<Instant> asked, int shownIn) {
  static final Sighting NONE = new Sighting(Optional.empty(), Optional.empty(), 0);
}

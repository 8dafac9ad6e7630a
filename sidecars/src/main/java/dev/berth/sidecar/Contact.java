package dev.berth.sidecar;

import dev.berth.sidecar.connection.DriverFacts;
import java.time.Instant;

/// Where the sidecars stand with their driver.
public sealed interface Contact {
  /// No work is done for the driver.
  ///
  /// @param why what keeps it from being reached, for people
  record Seeking(Instant since, String why) implements Contact {}

  /// All sidecars of the driver run.
  record Serving(Instant since, DriverFacts driver) implements Contact {}

  record Ended() implements Contact {}
}

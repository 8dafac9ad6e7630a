package dev.berth.csi.registrar;

import java.time.Instant;

/// Where a driver stands with the node agent.
public sealed interface Registration {
  /// The socket is not there.
  record Hidden() implements Registration {}

  /// The socket is there; the node agent has not answered yet.
  record Shown(Instant since) implements Registration {}

  record Accepted(Instant since) implements Registration {}

  /// The node agent did not take the driver; the socket is shown anew after a pause.
  ///
  /// @param why in its words
  record Refused(Instant since, String why) implements Registration {}
}

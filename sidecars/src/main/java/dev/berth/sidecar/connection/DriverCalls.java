package dev.berth.sidecar.connection;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.GroupControllerCalls;
import java.time.Duration;

/// The services of a driver's controller, with a deadline of each caller's own choice.
public interface DriverCalls {
  /// @param timeout how long one call may take
  ControllerCalls controller(Duration timeout);

  /// @param timeout how long one call may take
  GroupControllerCalls groups(Duration timeout);
}

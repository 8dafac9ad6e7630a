package dev.berth.sidecar.connection;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.time.Time;
import java.time.Duration;

/// What a sidecar of a driver acts by.
///
/// @param api whose writes are in the caches before their answer
/// @param events in the sidecar's name
/// @param identity of this process, put on each volume (PROV-07)
/// @param turns of those who share it
public record Means(
    Api api, EventRecorder events, Time time, DriverCalls calls, String identity, Turns turns) {
  public Means(Api api, EventRecorder events, Time time, DriverCalls calls, String identity) {
    this(api, events, time, calls, identity, new Turns());
  }

  /// Calls to the driver's controller (PROV-27, ATT-31).
  ///
  /// @param timeout how long one call may take
  public ControllerCalls controller(Duration timeout) {
    return calls.controller(timeout);
  }

  /// Calls to the driver's group controller.
  ///
  /// @param timeout how long one call may take
  public GroupControllerCalls groups(Duration timeout) {
    return calls.groups(timeout);
  }
}

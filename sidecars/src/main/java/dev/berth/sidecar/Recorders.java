package dev.berth.sidecar;

import dev.berth.kube.api.Api;
import dev.berth.kube.event.EventRecorder;
import dev.berth.sidecar.part.Sidecar;

/// Tells events in the names of sidecars.
@FunctionalInterface
public interface Recorders {
  /// Tells nobody.
  Recorders SILENT = (_, _, _) -> EventRecorder.SILENT;

  /// @param api by which they are written
  EventRecorder of(Api api, Sidecar sidecar, String driver);
}

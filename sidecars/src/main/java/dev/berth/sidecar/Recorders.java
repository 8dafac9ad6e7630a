package dev.berth.sidecar;

import dev.berth.kube.event.EventRecorder;
import dev.berth.sidecar.part.Sidecar;

/// Tells events in the names of sidecars.
@FunctionalInterface
public interface Recorders {
  /// Tells nobody.
  Recorders SILENT = (_, _) -> EventRecorder.SILENT;

  EventRecorder of(Sidecar sidecar, String driver);
}

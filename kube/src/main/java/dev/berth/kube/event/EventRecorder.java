package dev.berth.kube.event;

/// Tells users of what happened to their objects. Best effort: never blocks, never fails.
@FunctionalInterface
public interface EventRecorder {
  /// Tells nobody: for explanations and tests.
  EventRecorder SILENT = _ -> {};

  void tell(Notice notice);
}

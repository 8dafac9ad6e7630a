package dev.berth.sidecar.health;

/// What the monitor looks at, one at a time.
sealed interface Subject {
  /// All volumes of the driver at once, as it lists them.
  record AllVolumes() implements Subject {}

  /// @param name of the PersistentVolume
  record OfVolume(String name) implements Subject {}

  /// @param name of the Node, which may have gone
  record OfNode(String name) implements Subject {}
}

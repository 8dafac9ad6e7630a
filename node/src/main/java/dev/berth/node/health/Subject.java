package dev.berth.node.health;

import dev.berth.kube.model.VolumeName;

/// What is looked at.
public sealed interface Subject {
  /// A volume, of which the driver is asked.
  record OfVolume(VolumeName name) implements Subject {}

  /// A pod, which is told.
  record OfPod(String uid) implements Subject {}
}

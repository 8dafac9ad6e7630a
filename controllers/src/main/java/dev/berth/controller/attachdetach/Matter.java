package dev.berth.controller.attachdetach;

import dev.berth.kube.model.VolumeName;

/// What is decided about: a volume, on all nodes at once, since it may have to leave one before it
/// comes to another. Whoever wants to know what becomes of it on one node asks about that.
sealed interface Matter {
  VolumeName volume();

  /// The volume wherever it is or is wanted.
  record Everywhere(VolumeName volume) implements Matter {}

  /// The volume on one node: for explanations.
  record OnNode(VolumeName volume, String node) implements Matter {}
}

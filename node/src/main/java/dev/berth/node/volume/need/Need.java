package dev.berth.node.volume.need;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Volume;

/// What one volume of a pod comes to, seen from the pod.
public sealed interface Need {
  /// The volume's name in the pod.
  String volume();

  /// Which volume it is, and that it may be mounted.
  record Known(String volume, Want want) implements Need {}

  /// It is a place of this machine, which nobody has to mount.
  record Placed(String volume, Volume place, boolean readOnly) implements Need {}

  /// It cannot be told yet, or not at all.
  record Unknown(String volume, Wait until) implements Need {}
}

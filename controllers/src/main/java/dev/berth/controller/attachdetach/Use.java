package dev.berth.controller.attachdetach;

import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;

/// That a placed pod uses a volume.
///
/// @param volume by which the pod knows it
/// @param standing whether the pod may have it attached, or only keep it
record Use(Pod pod, Volume volume, Standing standing) {
  enum Standing {
    /// Pod, claim and volume name each other: it may be attached for the pod (AD-11).
    RESOLVED,
    /// The pod names a claim that the volume names, but the two are not bound: what is attached
    /// stays, nothing new is.
    DANGLING
  }
}

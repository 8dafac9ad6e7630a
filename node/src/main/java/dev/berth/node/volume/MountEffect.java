package dev.berth.node.volume;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.need.Want;
import java.util.Optional;

/// What the volume manager can do.
sealed interface MountEffect extends Effect {
  /// Asks the API server itself whether the volume is attached, now that it is reported in use
  /// (AD-63).
  record Verify(VolumeName name) implements MountEffect {}

  /// NodeStageVolume, once for the node.
  ///
  /// @param want the pod that waits longest
  record Stage(Want want, Optional<FsGroup> group) implements MountEffect {}

  /// NodePublishVolume, for one pod.
  ///
  /// @param podInfo whether the driver is told which pod it is
  record Publish(Want want, boolean podInfo, Optional<FsGroup> group) implements MountEffect {}

  /// NodePublishVolume once more for a pod that has it, so that the driver brings what it shows up
  /// to date (NCSI-10).
  record Republish(Publish publish) implements MountEffect {}

  /// NodeUnpublishVolume, for one pod.
  record Unpublish(VolumeName name, String podUid) implements MountEffect {}

  /// NodeUnstageVolume, once for the node.
  record Unstage(VolumeName name) implements MountEffect {}

  /// Nothing of the volume is mounted and nobody wants it: drops it from memory.
  record Forget(VolumeName name) implements MountEffect {}
}

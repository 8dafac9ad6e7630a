package dev.berth.node.volume;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.value.Quantity;
import dev.berth.node.volume.need.Want;
import java.util.List;
import java.util.Optional;

/// What can be done about a volume here.
public sealed interface MountEffect extends Effect {
  /// Which volume.
  VolumeName name();

  /// A volume may have to be mounted for every pod of the node: once for each is no circle.
  @Override
  default Object likeness() {
    return switch (this) {
      case Publish it -> List.of(getClass(), it.want().podUid());
      case Republish it -> List.of(getClass(), it.publish().want().podUid());
      case Unpublish it -> List.of(getClass(), it.podUid());
      case Grow it -> List.of(getClass(), it.size());
      case Verify _, Stage _, Unstage _, Forget _ -> getClass();
    };
  }

  /// Asks the API server itself whether the volume is attached, now that it is reported in use
  /// (AD-63).
  record Verify(VolumeName name) implements MountEffect {}

  /// NodeStageVolume, once for the node.
  ///
  /// @param seen the pod that waits longest
  record Stage(Want.Essence essence, Optional<FsGroup> group, Seen<Want> seen)
      implements MountEffect {
    Stage(Want want, Optional<FsGroup> group) {
      this(want.essence(), group, new Seen<>(want));
    }

    Want want() {
      return seen.object();
    }

    @Override
    public VolumeName name() {
      return want().name();
    }
  }

  /// NodePublishVolume, for one pod.
  ///
  /// @param podInfo whether the driver is told which pod it is
  /// @param tokens which tokens of the pod's service account it is told; empty: none
  record Publish(
      Want.Essence essence,
      boolean podInfo,
      Optional<FsGroup> group,
      Optional<CsiDriver.Tokens> tokens,
      Seen<Want> seen)
      implements MountEffect {
    Publish(
        Want want, boolean podInfo, Optional<FsGroup> group, Optional<CsiDriver.Tokens> tokens) {
      this(want.essence(), podInfo, group, tokens, new Seen<>(want));
    }

    Publish(Want want, boolean podInfo, Optional<FsGroup> group) {
      this(want, podInfo, group, Optional.empty());
    }

    Want want() {
      return seen.object();
    }

    @Override
    public VolumeName name() {
      return want().name();
    }
  }

  /// NodePublishVolume once more for a pod that has it, so that the driver brings what it shows up
  /// to date (NCSI-10).
  record Republish(Publish publish) implements MountEffect {
    @Override
    public VolumeName name() {
      return publish.name();
    }
  }

  /// NodeExpandVolume, so that what is on the volume becomes as large as the volume (RSZ-71).
  ///
  /// @param seen a pod that has it
  record Grow(VolumeName name, Quantity size, Telling telling, Seen<Want> seen)
      implements MountEffect {}

  /// Whether the claim hears of it.
  enum Telling {
    THE_CLAIM,
    /// It has heard of it from another node.
    NOBODY
  }

  /// NodeUnpublishVolume, for one pod.
  record Unpublish(VolumeName name, String podUid) implements MountEffect {}

  /// NodeUnstageVolume, once for the node.
  record Unstage(VolumeName name) implements MountEffect {}

  /// Nothing of the volume is mounted and nobody wants it: drops it from memory.
  record Forget(VolumeName name) implements MountEffect {}
}

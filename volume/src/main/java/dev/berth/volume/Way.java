package dev.berth.volume;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;

/// How far the way from a pod's volume leads: to a driver's source, or to where it stops and why.
/// What else has to be so before a volume may be used, such as the claim's phase, is the rule of
/// whoever asks.
public sealed interface Way {
  /// It needs no storage driver.
  record Local(PodVolume volume) implements Way {}

  /// A driver makes it on the node, for this pod only.
  record Inline(PodVolume volume, CsiSource source) implements Way {}

  /// It leads to a claim, if there is one.
  sealed interface OfClaim extends Way {
    PodClaim used();
  }

  /// The claim does not exist.
  record NoClaim(PodClaim used, Ref absent) implements OfClaim {}

  /// There is a claim.
  sealed interface Claimed extends OfClaim {
    Claim claim();
  }

  /// The claim was not made for this pod, though the pod wants one of its own (EPH-04).
  record Foreign(PodClaim used, Claim claim) implements Claimed {}

  /// The claim names no volume.
  record Unbound(PodClaim used, Claim claim) implements Claimed {}

  /// The claim names a volume that does not exist.
  record NoVolume(PodClaim used, Claim claim, Ref absent) implements Claimed {}

  /// The claim names a volume that exists.
  sealed interface Named extends Claimed {
    Volume volume();
  }

  /// The volume does not name this very claim.
  record Misbound(PodClaim used, Claim claim, Volume volume) implements Named {}

  /// Claim and volume are bound to each other, but no CSI driver serves the volume.
  record Unserved(PodClaim used, Claim claim, Volume volume) implements Named {}

  /// The whole way.
  ///
  /// @param volume as its driver knows it (see [Translation])
  record Arrived(PodClaim used, Claim claim, Volume volume, CsiSource source) implements Named {
    public VolumeName name() {
      return VolumeName.of(source);
    }
  }
}

package dev.berth.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.stream.Stream;

/// The other way: from a claim or a volume to the pods that it concerns.
public record Users(Snapshot objects) {
  /// Pods that name the claim, whether it exists or not and whoever's it is: a change of it
  /// concerns them.
  public Collection<Pod> naming(ObjectKey claim) {
    return objects.by(Indexes.PODS_BY_CLAIM, claim.toString());
  }

  /// Pods that may use the claim: a pod that wants one of its own and finds another's of that name
  /// is none of them (EPH-04).
  public Stream<Pod> of(Claim claim) {
    return naming(claim.meta().key()).stream().filter(pod -> PodClaim.uses(pod, claim));
  }

  /// Pods that use the volume, or did: they name the claim that it is reserved for, which may be
  /// gone by now or have a successor of its name.
  public Stream<Pod> of(Volume volume) {
    return volume.claim().stream().flatMap(this::of);
  }

  /// Pods that use the volume by any of its PersistentVolumes, or did.
  public Stream<Pod> of(VolumeName name) {
    return volumes(name).stream().flatMap(this::of).distinct();
  }

  /// The PersistentVolumes of a volume: rarely more than one (AD-46).
  public Collection<Volume> volumes(VolumeName name) {
    return objects.by(Indexes.VOLUMES_BY_NAME, name.toString());
  }

  /// Volumes that are reserved for the claim, which may not exist.
  public Collection<Volume> reserved(ObjectKey claim) {
    return objects.by(Indexes.VOLUMES_BY_CLAIM, claim.toString());
  }

  /// Only the very claim that it is reserved for shows whom it is not for.
  private Stream<Pod> of(ClaimRef reserved) {
    var claim = objects.get(Kinds.CLAIM, reserved.key()).found().filter(reserved::names);
    return naming(reserved.key()).stream()
        .filter(pod -> claim.filter(it -> !PodClaim.uses(pod, it)).isEmpty());
  }
}

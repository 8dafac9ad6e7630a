package dev.berth.volume;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Optional;

/// One claim as a pod names it.
///
/// @param key of the claim, which may not exist
/// @param origin who makes the claim
public record PodClaim(ObjectKey key, Origin origin) {
  /// Who makes the claim.
  public enum Origin {
    /// Somebody did, for any pod that names it.
    REFERENCED,
    /// It is made for this pod alone and goes with it (EPH-01).
    MADE_FOR_POD
  }

  /// The claims of a pod in the order of its volumes, each once.
  public static List<PodClaim> of(Pod pod) {
    return pod.volumes().stream().flatMap(volume -> of(pod, volume).stream()).distinct().toList();
  }

  /// The claim of one of a pod's volumes; empty: it has none.
  public static Optional<PodClaim> of(Pod pod, PodVolume volume) {
    return volume
        .claimName(pod.meta().name())
        .map(name ->
            new PodClaim(
                ObjectKey.of(pod.meta().namespace(), name),
                volume.source() instanceof Source.Ephemeral
                    ? Origin.MADE_FOR_POD
                    : Origin.REFERENCED));
  }

  /// Whether the pod names `claim` and may use it.
  public static boolean uses(Pod pod, Claim claim) {
    return of(pod).stream()
        .filter(used -> used.key().equals(claim.meta().key()))
        .anyMatch(used -> used.usable(pod, claim));
  }

  /// Whether the pod may use `claim`: one made for a pod must be this pod's own (EPH-04).
  public boolean usable(Pod pod, Claim claim) {
    return switch (origin) {
      case REFERENCED -> true;
      case MADE_FOR_POD ->
          claim
              .meta()
              .controllerOwner()
              .filter(owner -> owner.uid().equals(pod.meta().uid()))
              .isPresent();
    };
  }
}

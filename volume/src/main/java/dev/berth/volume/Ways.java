package dev.berth.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import java.util.stream.Stream;

/// From a pod's volumes over their claims to the volumes that these are bound to, and to the
/// sources that drivers know.
public record Ways(Snapshot objects, Translation translation) {
  /// Of one of the pod's volumes.
  public Way of(Pod pod, PodVolume volume) {
    return switch (volume.source()) {
      case Source.Local _ -> new Way.Local(volume);
      case Source.InlineCsi inline ->
          new Way.Inline(volume, InlineSource.of(pod, volume.name(), inline));
      case Source.FromClaim _, Source.Ephemeral _ ->
          of(pod, PodClaim.of(pod, volume).orElseThrow());
    };
  }

  /// Of each of the pod's claims, in the order of its volumes, each claim once.
  public Stream<Way.OfClaim> ofClaims(Pod pod) {
    return PodClaim.of(pod).stream().map(used -> of(pod, used));
  }

  /// Of one of the pod's claims.
  public Way.OfClaim of(Pod pod, PodClaim used) {
    return switch (objects.get(Kinds.CLAIM, used.key())) {
      case Missing<Claim>(var absent) -> new Way.NoClaim(used, absent);
      case Found(var claim) when !used.usable(pod, claim) -> new Way.Foreign(used, claim);
      case Found(var claim) when claim.volumeName().isEmpty() -> new Way.Unbound(used, claim);
      case Found(var claim) -> named(used, claim);
    };
  }

  private Way.OfClaim named(PodClaim used, Claim claim) {
    return switch (objects.get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))) {
      case Missing<Volume>(var absent) -> new Way.NoVolume(used, claim, absent);
      case Found(var volume) when !Binding.holds(volume, claim) ->
          new Way.Misbound(used, claim, volume);
      case Found(var volume) -> served(used, claim, translation.of(volume));
    };
  }

  private static Way.OfClaim served(PodClaim used, Claim claim, Volume volume) {
    return volume
        .csi()
        .<Way.OfClaim>map(source -> new Way.Arrived(used, claim, volume, source))
        .orElseGet(() -> new Way.Unserved(used, claim, volume));
  }
}

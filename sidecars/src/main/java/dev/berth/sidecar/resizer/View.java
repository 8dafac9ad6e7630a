package dev.berth.sidecar.resizer;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.resizer.ResizerOptions.WhileUsed;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the resizer sees.
///
/// @param whileUsed whether pods are seen at all
public record View(Snapshot objects, Instant now, WhileUsed whileUsed) {
  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volumeOf(Claim claim) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()));
  }

  /// The volume as its driver knows it; empty: no CSI driver serves it.
  Optional<CsiSource> source(Volume volume) {
    return Translation.NONE.source(volume);
  }

  /// Pods that have not ended and name the claim, one made for a pod included (RSZ-61).
  List<Pod> users(Claim claim) {
    if (whileUsed == WhileUsed.ASK_AGAIN) return List.of();
    return new Users(objects)
        .of(claim)
        .filter(pod -> !pod.finished())
        .sorted(Comparator.comparing(pod -> pod.meta().name()))
        .toList();
  }
}

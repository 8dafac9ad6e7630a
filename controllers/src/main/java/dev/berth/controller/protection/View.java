package dev.berth.controller.protection;

import dev.berth.controller.Indexes;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import java.util.List;

/// What protection sees.
record View(Snapshot objects) {
  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  /// Pods that keep the claim.
  List<Pod> users(Claim claim) {
    return objects.by(Indexes.PODS_BY_CLAIM, claim.meta().key().toString()).stream()
        .filter(pod -> Usage.keeps(pod, claim))
        .toList();
  }
}

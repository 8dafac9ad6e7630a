package dev.berth.controller.protection;

import dev.berth.controller.Indexes;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import java.util.List;
import java.util.stream.Stream;

/// What protection sees.
record View(Snapshot objects) {
  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  Lookup<AttributesClass> attributesClass(ObjectKey key) {
    return objects.get(Kinds.ATTRIBUTES_CLASS, key);
  }

  Stream<Claim> claimsNaming(AttributesClass attributes) {
    return objects.by(Indexes.CLAIMS_BY_ATTRIBUTES_CLASS, attributes.meta().name()).stream();
  }

  Stream<Volume> volumesNaming(AttributesClass attributes) {
    return objects.by(Indexes.VOLUMES_BY_ATTRIBUTES_CLASS, attributes.meta().name()).stream();
  }

  /// Pods that keep the claim.
  List<Pod> users(Claim claim) {
    return objects.by(Indexes.PODS_BY_CLAIM, claim.meta().key().toString()).stream()
        .filter(pod -> Usage.keeps(pod, claim))
        .toList();
  }
}

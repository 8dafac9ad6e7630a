package dev.berth.controller.protection;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.Users;
import java.util.List;
import java.util.stream.Stream;

/// What protection sees.
record View(Snapshot objects) {
  private static final Index<Volume> VOLUMES_BY_ATTRIBUTES_CLASS =
      new Index<>(
          Kinds.VOLUME,
          "attributes class",
          volume ->
              volume.attributesClassName().isEmpty()
                  ? List.of()
                  : List.of(volume.attributesClassName()));

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
    return objects.by(VOLUMES_BY_ATTRIBUTES_CLASS, attributes.meta().name()).stream();
  }

  /// Pods that keep the claim.
  List<Pod> users(Claim claim) {
    return new Users(objects)
        .naming(claim.meta().key()).stream().filter(pod -> Usage.keeps(pod, claim)).toList();
  }
}

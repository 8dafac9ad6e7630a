package dev.berth.controller.binder;

import dev.berth.controller.VolumeMatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Users;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the binder sees.
record View(Snapshot objects) {
  /// Claims that name no volume, by class; `""` has those without one.
  static final Index<Claim> SEEKING_CLAIMS =
      new Index<>(
          Kinds.CLAIM,
          "class, if without a volume",
          claim ->
              claim.volumeName().isEmpty() && !claim.bindCompleted()
                  ? List.of(claim.className().orElse(""))
                  : List.of());

  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  Lookup<StorageClass> storageClass(String name) {
    return objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name));
  }

  Lookup<Node> node(String name) {
    return objects.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  /// The newest of the default classes, the first by name of equally old ones (DSC-01).
  Optional<StorageClass> defaultClass() {
    return objects.all(Kinds.STORAGE_CLASS).stream()
        .filter(StorageClass::isDefault)
        .min(
            Comparator.comparing((StorageClass storageClass) -> storageClass.meta().created())
                .reversed()
                .thenComparing(storageClass -> storageClass.meta().name()));
  }

  /// Pods that use the claim and have not ended.
  List<Pod> consumers(Claim claim) {
    return new Users(objects).of(claim).filter(pod -> !pod.finished()).toList();
  }

  /// The volume that somebody reserved for the claim, if it can serve it.
  Optional<Volume> reserved(Claim claim) {
    return VolumeMatch.reserved(objects, claim);
  }

  /// The free volume that serves the claim best.
  Optional<Volume> bestFree(Claim claim) {
    return VolumeMatch.smallestFree(objects, claim);
  }

  /// The free volume that serves the claim best on this node.
  Optional<Volume> bestFree(Claim claim, Node node) {
    return VolumeMatch.smallestFree(objects, claim, node, _ -> true);
  }

  /// Claims that a volume of this class might serve.
  Collection<Claim> seeking(String className) {
    return objects.by(SEEKING_CLAIMS, className);
  }
}

package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.stream.Stream;

/// What is kept by a finalizer that no component here ever sets: a class (D17), and a volume by
/// kube-controller-manager's plugins in the tree (D15).
final class ForeignFinalizers {
  static final String IN_TREE = "kubernetes.io/pv-controller";

  private ForeignFinalizers() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return Stream.concat(
        subject
            .as(Kinds.STORAGE_CLASS)
            .flatMap(key -> objects.get(Kinds.STORAGE_CLASS, key).found().stream())
            .filter(it -> it.meta().deleting() && !it.meta().finalizers().isEmpty())
            .map(it -> ofClass(it.ref(), it.meta())),
        subject
            .as(Kinds.VOLUME)
            .flatMap(key -> objects.get(Kinds.VOLUME, key).found().stream())
            .filter(it -> it.meta().deleting() && it.meta().hasFinalizer(IN_TREE))
            .filter(it -> it.phase() != Volume.Phase.BOUND)
            .map(it -> inTree(it.ref(), it.meta())));
  }

  private static Step ofClass(Ref ref, Meta meta) {
    return Wait.on(ref, "metadata.finalizers")
        .since(meta.deleted().orElseThrow())
        .until("its finalizers are taken off: " + String.join(", ", meta.finalizers()))
        .remedy(
            "see what has become of who has set them: Kubernetes sets none on a class; volumes and"
                + " claims of the class are not concerned");
  }

  private static Step inTree(Ref ref, Meta meta) {
    return Wait.on(ref, "metadata.finalizers")
        .since(meta.deleted().orElseThrow())
        .until(
            "kube-controller-manager takes off %s, which it sets on volumes that it deletes itself"
                .formatted(IN_TREE))
        .remedy(
            "look at its log, and whether the feature gates of migration are the same in"
                + " kube-controller-manager and on the nodes");
  }
}

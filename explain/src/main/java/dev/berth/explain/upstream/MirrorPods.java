package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.stream.Stream;

/// A pod that stands for a manifest on its node comes back as long as that is there (T10).
final class MirrorPods {
  private MirrorPods() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> pod.meta().deleting() && pod.meta().hasAnnotation(Annotations.CONFIG_MIRROR))
        .map(pod ->
            Wait.on(pod.ref(), "metadata.annotations[%s]".formatted(Annotations.CONFIG_MIRROR))
                .since(pod.meta().deleted().orElseThrow())
                .until(
                    "its manifest has gone from node %s: the kubelet there makes it again"
                        .formatted(pod.nodeName()))
                .remedy(
                    "delete the manifest on node %s (the kubelet's staticPodPath, such as /etc/kubernetes/manifests)"
                        .formatted(pod.nodeName())));
  }
}

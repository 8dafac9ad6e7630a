package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The pod in which a FUSE client serves volumes of other pods (T09). It outlives them: as long as
/// a volume refers to it, and then for the delay that its class names.
final class MountPods {
  private static final String APP = "app.kubernetes.io/name";
  private static final String MOUNTS = "juicefs-mount";
  private static final String DELETE_AT = "juicefs-delete-at";

  /// An annotation each for the paths at which volumes are served; in them is the pod's uid.
  private static final String REFERENCE = "juicefs-[0-9a-f]{50,}";

  private MountPods() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> MOUNTS.equals(pod.meta().labels().get(APP)) && !pod.finished())
        .flatMap(MountPods::step);
  }

  private static Stream<Step> step(Pod pod) {
    var served =
        pod.meta().annotations().entrySet().stream()
            .filter(each -> each.getKey().matches(REFERENCE))
            .map(each -> each.getValue())
            .sorted()
            .toList();
    if (!served.isEmpty())
      return pod.meta().deleting() ? Stream.of(untilUnused(pod, served)) : Stream.empty();
    return pod.meta().annotation(DELETE_AT).stream().map(at -> untilDue(pod, at));
  }

  private static Step untilUnused(Pod pod, List<String> served) {
    return Wait.on(pod.ref(), "metadata.annotations")
        .since(pod.meta().deleted().orElseThrow())
        .until(
            "nobody uses any more what it serves: %s"
                .formatted(served.stream().limit(3).collect(Collectors.joining(", "))))
        .remedy("end the pods whose volumes these are; they lose them when this one ends");
  }

  private static Step untilDue(Pod pod, String at) {
    return Wait.on(pod.ref(), "metadata.annotations[%s]".formatted(DELETE_AT))
        .until(
            "its driver removes it at %s: no volume refers to it, and until then it is kept for the next one"
                .formatted(at))
        .hint("to have it go at once: " + Commands.delete(pod.ref()));
  }
}

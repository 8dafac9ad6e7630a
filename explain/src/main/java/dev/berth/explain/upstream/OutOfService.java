package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.stream.Stream;

/// A node that is back, and of which it is still said that it is out of service (X11).
final class OutOfService {
  private OutOfService() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.NODE)
        .flatMap(key -> objects.get(Kinds.NODE, key).found().stream())
        .filter(node -> node.ready() && isTainted(node))
        .map(node ->
            Wait.on(node.ref(), "spec.taints")
                .until(
                    "its taint %s is taken off: it is ready again"
                        .formatted(Labels.OUT_OF_SERVICE_TAINT))
                .danger(
                    "as long as it has the taint, volumes are taken off it while they are mounted,"
                        + " each time that a pod there is deleted",
                    Commands.kubectl("taint", node.ref(), Labels.OUT_OF_SERVICE_TAINT + "-")));
  }

  private static boolean isTainted(Node node) {
    return node.taints().stream()
        .anyMatch(taint -> taint.key().equals(Labels.OUT_OF_SERVICE_TAINT));
  }
}

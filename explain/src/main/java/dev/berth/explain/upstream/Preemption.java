package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.volume.Indexes;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// A pod for which kube-scheduler has others ended (P25). It nominates a node for a pod also while
/// the pod's volumes are made there, so that whoever leaves the node does it for the pod only if
/// the scheduler says so of him.
final class Preemption {
  private Preemption() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> pod.nodeName().isEmpty() && !pod.finished() && !pod.meta().deleting())
        .flatMap(pod -> untilVictimsEnd(pod, objects).stream());
  }

  private static Optional<Step> untilVictimsEnd(Pod pod, Snapshot objects) {
    var node = Json.text(pod.status(), "nominatedNodeName");
    if (node.isEmpty()) return Optional.empty();
    return objects.by(Indexes.PODS_BY_NODE, node).stream()
        .filter(other -> other.meta().deleting() && !other.finished() && isPreempted(other))
        .min(Comparator.comparing(other -> other.meta().deleted().orElseThrow()))
        .map(victim ->
            Wait.on(victim.ref())
                .since(began(victim))
                .until(
                    "%s has gone from node %s, where it makes room for this one"
                        .formatted(victim.ref(), node))
                .ifLate(
                    Duration.ofSeconds(victim.meta().graceSeconds().orElse(30)),
                    "see what keeps it: " + Commands.explain(victim.ref())));
  }

  private static boolean isPreempted(Pod pod) {
    return pod.status()
        .path("conditions")
        .valueStream()
        .filter(it -> Json.text(it, "type").equals("DisruptionTarget"))
        .anyMatch(it ->
            Json.text(it, "status").equals("True")
                && Json.text(it, "reason").equals("PreemptionByScheduler"));
  }

  private static Instant began(Pod victim) {
    return victim
        .meta()
        .deleted()
        .orElseThrow()
        .minusSeconds(victim.meta().graceSeconds().orElse(0));
  }
}

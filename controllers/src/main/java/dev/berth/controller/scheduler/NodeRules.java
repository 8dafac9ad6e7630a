package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import java.util.Optional;
import java.util.stream.Stream;

/// Whether a node does for a pod, what it has room for apart (SCHED-05).
final class NodeRules {
  private static final String NO_SCHEDULE = "NoSchedule";
  private static final String NO_EXECUTE = "NoExecute";
  private static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";

  private NodeRules() {}

  /// The first that applies.
  static Optional<Refusal> refusal(Pod pod, Node node) {
    return cordoned(pod, node).or(() -> tainted(pod, node)).or(() -> notSelected(pod, node));
  }

  /// Whether there may be pods that would rather not be on the node.
  static boolean dislikeable(Node node) {
    return node.taints().stream().anyMatch(taint -> taint.effect().equals(PREFER_NO_SCHEDULE));
  }

  /// Taints that the pod would rather not have.
  static long disliked(Pod pod, Node node) {
    if (node.taints().isEmpty()) return 0;
    return node.taints().stream()
        .filter(taint -> taint.effect().equals(PREFER_NO_SCHEDULE) && !tolerates(pod, taint))
        .count();
  }

  private static Optional<Refusal> cordoned(Pod pod, Node node) {
    if (!node.unschedulable()
        || tolerates(pod, new Taint(Labels.UNSCHEDULABLE_TAINT, "", NO_SCHEDULE)))
      return Optional.empty();
    return Optional.of(
        new Refusal(
            "node(s) were unschedulable",
            Wait.on(node.ref(), "spec.unschedulable"),
            node.ref() + " takes pods again",
            "kubectl uncordon " + node.meta().name()));
  }

  private static Optional<Refusal> tainted(Pod pod, Node node) {
    return taints(node)
        .filter(taint -> taint.effect().equals(NO_SCHEDULE) || taint.effect().equals(NO_EXECUTE))
        .filter(taint -> !tolerates(pod, taint))
        .findFirst()
        .map(taint -> tainted(node, taint));
  }

  private static Refusal tainted(Node node, Taint taint) {
    var reason = "node(s) had untolerated taint(s)";
    if (taint.key().equals(Labels.NOT_READY_TAINT) || taint.key().equals(Labels.UNREACHABLE_TAINT))
      return new Refusal(
          reason,
          node.readySince()
              .map(Wait.on(node.ref(), "status.conditions")::since)
              .orElse(Wait.on(node.ref(), "status.conditions")),
          node.ref() + " is ready",
          "look at the agent of node " + node.meta().name());
    return new Refusal(
        reason,
        Wait.on(node.ref(), "spec.taints"),
        node.ref() + " no longer has taint " + taint.key(),
        "take the taint off, or let the pod tolerate it");
  }

  /// A node that says it is not ready is treated as tainted, whether or not somebody has written
  /// the taint; one of which nobody has said anything is not.
  private static Stream<Taint> taints(Node node) {
    boolean notReady = !node.ready() && node.readySince().isPresent();
    return notReady
        ? Stream.concat(
            node.taints().stream(), Stream.of(new Taint(Labels.NOT_READY_TAINT, "", NO_SCHEDULE)))
        : node.taints().stream();
  }

  private static boolean tolerates(Pod pod, Taint taint) {
    return pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  private static Optional<Refusal> notSelected(Pod pod, Node node) {
    boolean selected =
        node.meta().labels().entrySet().containsAll(pod.nodeSelector().entrySet())
            && pod.nodeAffinity().filter(affinity -> !affinity.matches(node)).isEmpty();
    if (selected) return Optional.empty();
    return Optional.of(
        new Refusal(
            "node(s) didn't match Pod's node affinity/selector",
            Wait.on(node.ref(), "metadata.labels"),
            node.ref() + " has the labels that the pod selects",
            "label the node, or create the pod again with another selector"));
  }
}

package dev.berth.controller.scheduler;

import dev.berth.kube.cache.Summary;
import dev.berth.kube.cache.Summary.Part;
import dev.berth.kube.cache.Summary.Rank;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.volume.PodClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node and how much is on it, as the caches sum it up: thousands of nodes are gone through for a
/// pod without looking for anything of each.
///
/// @param node empty: pods and attachments name one that is not there
/// @param csiNode what is registered on it
/// @param pods on it that have not ended
/// @param asked what these ask for
/// @param claims these name, one that two of them name counted twice
/// @param attachments to it, by driver; none is 0
record Host(
    Optional<Node> node,
    Optional<CsiNode> csiNode,
    int pods,
    Amounts asked,
    int claims,
    Map<String, Integer> attachments) {
  /// Of every node, by its name. Ranked: the nodes that no pod dislikes, those with few pods first.
  static final Summary<Host> ALL =
      new Summary<>(
          new Object(),
          "nodes with what is on them",
          new Host(Optional.empty(), Optional.empty(), 0, Amounts.NONE, 0, Map.of()),
          List.of(
              new Part<>(
                  Kinds.NODE,
                  node -> List.of(node.meta().name()),
                  (host, node) -> host.with(Optional.of(node)),
                  (host, _) -> host.with(Optional.empty())),
              new Part<>(
                  Kinds.CSI_NODE,
                  csiNode -> List.of(csiNode.meta().name()),
                  (host, csiNode) -> host.registered(Optional.of(csiNode)),
                  (host, _) -> host.registered(Optional.empty())),
              new Part<>(
                  Kinds.POD,
                  pod ->
                      pod.nodeName().isEmpty() || pod.finished()
                          ? List.of()
                          : List.of(pod.nodeName()),
                  (host, pod) -> host.with(1, pod),
                  (host, pod) -> host.with(-1, pod)),
              new Part<>(
                  Kinds.ATTACHMENT,
                  attachment -> List.of(attachment.nodeName()),
                  (host, attachment) -> host.with(1, attachment),
                  (host, attachment) -> host.with(-1, attachment))),
          host ->
              host.node()
                  .filter(node -> !NodeRules.dislikeable(node))
                  .map(node -> new Rank(host.pods(), place(node.meta().name()))));

  Host {
    attachments = Map.copyOf(attachments);
  }

  /// Where a name stands among all: anywhere, but always there.
  static int place(String name) {
    int hash = name.hashCode() * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }

  String name() {
    return existing().meta().name();
  }

  /// The node of one that a [View] shows.
  Node existing() {
    return node.orElseThrow();
  }

  /// To it, whichever the driver.
  int allAttachments() {
    int sum = 0;
    for (int count : attachments.values()) sum += count;
    return sum;
  }

  private Host with(Optional<Node> next) {
    return new Host(next, csiNode, pods, asked, claims, attachments);
  }

  private Host registered(Optional<CsiNode> next) {
    return new Host(node, next, pods, asked, claims, attachments);
  }

  /// With a pod more, or with one less.
  Host with(int sign, Pod pod) {
    int more = sign * PodClaim.of(pod).size();
    var its = Amounts.of(pod).times(sign);
    return new Host(node, csiNode, pods + sign, asked.plus(its), claims + more, attachments);
  }

  /// With an attachment more, or with one less.
  Host with(int sign, Attachment attachment) {
    var next = new HashMap<>(attachments);
    int count = next.merge(attachment.attacher(), sign, Integer::sum);
    if (count == 0) next.remove(attachment.attacher());
    return new Host(node, csiNode, pods, asked, claims, next);
  }
}

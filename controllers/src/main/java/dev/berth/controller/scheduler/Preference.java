package dev.berth.controller.scheduler;

import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Which of the nodes that do for a pod it gets: the first of the order.
final class Preference {
  private Preference() {}

  /// A node that has the pod's volumes comes first, so that they need not move (SCHED-07); then one
  /// without taints that the pod dislikes; then the one with the fewest pods.
  static Comparator<Placement> of(View view, Pod pod, List<Claim> claims) {
    var holders = holders(view, claims);
    return Comparator.comparing(
            (Placement placement) -> !holders.contains(placement.node().meta().name()))
        .thenComparingLong(placement -> NodeRules.disliked(pod, placement.node()))
        .thenComparingInt(placement -> view.podsOn(placement.node().meta().name()).size())
        .thenComparingInt(placement -> affinity(pod, placement));
  }

  private static Set<String> holders(View view, List<Claim> claims) {
    return claims.stream()
        .filter(Claim::fullyBound)
        .flatMap(claim -> view.volume(claim.volumeName()).found().stream())
        .flatMap(volume -> view.attachmentsOf(volume).stream())
        .filter(attachment -> !attachment.meta().deleting())
        .map(Attachment::nodeName)
        .collect(Collectors.toSet());
  }

  /// A number that is always the same for these two: pods that are placed at the same moment, and
  /// do not see one another, spread over equal nodes.
  private static int affinity(Pod pod, Placement placement) {
    int hash =
        (31 * pod.meta().uid().hashCode() + placement.node().meta().name().hashCode()) * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }
}

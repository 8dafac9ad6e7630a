package dev.berth.controller.scheduler;

import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which of the nodes that do for a pod it gets.
final class Preference {
  private Preference() {}

  /// What a node has for and against it, worked out once for each.
  ///
  /// @param holder whether it has a volume of the pod
  /// @param disliked how many of its taints the pod would rather not have
  /// @param pods how many are on it
  /// @param affinity see [#affinity]
  private record Rank(Placement placement, boolean holder, long disliked, int pods, int affinity) {
    /// The best comes first.
    static final Comparator<Rank> ORDER =
        Comparator.comparing(Rank::holder)
            .reversed()
            .thenComparingLong(Rank::disliked)
            .thenComparingInt(Rank::pods)
            .thenComparingInt(Rank::affinity);
  }

  /// A node that has the pod's volumes comes first, so that they need not move (SCHED-07); then one
  /// without taints that the pod dislikes; then the one with the fewest pods.
  static Optional<Placement> best(Wanted wanted, Stream<Placement> placements) {
    var holders = holders(wanted);
    return placements
        .map(placement -> rank(wanted, placement, holders))
        .min(Rank.ORDER)
        .map(Rank::placement);
  }

  private static Rank rank(Wanted wanted, Placement placement, Set<String> holders) {
    var name = placement.node().meta().name();
    return new Rank(
        placement,
        holders.contains(name),
        NodeRules.disliked(wanted.pod(), placement.node()),
        wanted.view().podCount(name),
        affinity(wanted.pod(), name));
  }

  private static Set<String> holders(Wanted wanted) {
    return wanted.claims().stream()
        .filter(Claim::fullyBound)
        .flatMap(claim -> wanted.view().volume(claim.volumeName()).found().stream())
        .flatMap(volume -> wanted.view().attachmentsOf(volume).stream())
        .filter(attachment -> !attachment.meta().deleting())
        .map(Attachment::nodeName)
        .collect(Collectors.toSet());
  }

  /// A number that is always the same for these two: pods that are placed at the same moment, and
  /// do not see one another, spread over equal nodes.
  private static int affinity(Pod pod, String node) {
    int hash = (31 * pod.meta().uid().hashCode() + node.hashCode()) * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }
}

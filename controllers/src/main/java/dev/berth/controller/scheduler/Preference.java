package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Fits;
import dev.berth.kube.model.Pod;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which of the nodes that do for a pod it gets. They are looked at best first, so that the first
/// that does ends the search: what it takes to know that a node does is asked of few of them.
final class Preference {
  private Preference() {}

  /// What a node has for and against it.
  ///
  /// @param disliked how many of its taints the pod would rather not have
  /// @param affinity see [#affinity]
  private record Rank(Host host, long disliked, int affinity) {
    /// The best comes first.
    static final Comparator<Rank> ORDER =
        Comparator.comparingLong(Rank::disliked)
            .thenComparingInt(rank -> rank.host.pods())
            .thenComparingInt(Rank::affinity)
            .thenComparing(rank -> rank.host.name());
  }

  /// A node that has the pod's volumes comes first, so that they need not move (SCHED-07); then one
  /// without taints that the pod dislikes; then the one with the fewest pods.
  static Optional<Placement> best(Wanted wanted, Function<Host, Fit> fit) {
    var holders = wanted.holders();
    var view = wanted.view();
    var having = holders.stream().flatMap(node -> view.host(node).stream());
    return first(wanted.pod(), having, fit)
        .or(() -> {
          var others =
              Narrowing.hosts(wanted)
                  .map(hosts -> hosts.stream())
                  .orElseGet(view::hosts)
                  .filter(host -> holders.isEmpty() || !holders.contains(host.name()));
          return first(wanted.pod(), others, fit);
        });
  }

  private static Optional<Placement> first(Pod pod, Stream<Host> hosts, Function<Host, Fit> fit) {
    var ranks = new PriorityQueue<Rank>(Rank.ORDER);
    hosts.forEach(host -> ranks.add(rank(pod, host)));
    while (!ranks.isEmpty())
      if (fit.apply(ranks.remove().host()) instanceof Fits(var placement))
        return Optional.of(placement);
    return Optional.empty();
  }

  private static Rank rank(Pod pod, Host host) {
    return new Rank(host, NodeRules.disliked(pod, host.existing()), affinity(pod, host.name()));
  }

  /// A number that is always the same for these two: pods that are placed at the same moment, and
  /// do not see one another, spread over equal nodes.
  private static int affinity(Pod pod, String node) {
    int hash = (31 * pod.meta().uid().hashCode() + node.hashCode()) * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }
}

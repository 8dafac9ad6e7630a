package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Fits;
import dev.berth.controller.scheduler.Fit.Refused;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// Which pods of lower priority make room for one that fits nowhere (SCHED-48): only where their
/// going helps, and no more of them than have to. Budgets of disruptions are not asked.
///
/// @param node where they are
/// @param pods the most important first
record Preemption(String node, List<Pod> pods) {
  /// Nodes are looked at until so many would do.
  private static final int MOST = 100;

  /// How long a pod has to end in if it does not say.
  private static final long GRACE = 30;

  /// Who has the less to lose: the least important, then few, then those that run the shortest.
  private static final Comparator<Preemption> LEAST =
      Comparator.<Preemption>comparingLong(it -> priority(it.pods.getFirst()))
          .thenComparingLong(it -> it.pods.stream().mapToLong(Preemption::priority).sum())
          .thenComparingInt(it -> it.pods.size())
          .thenComparing(it -> began(it.pods.getFirst()), Comparator.reverseOrder())
          .thenComparing(Preemption::node);

  private static final Comparator<Pod> IMPORTANT_FIRST =
      Comparator.comparingLong(Preemption::priority)
          .reversed()
          .thenComparing(Preemption::began)
          .thenComparing(pod -> pod.meta().key());

  Preemption {
    pods = List.copyOf(pods);
  }

  static long priority(Pod pod) {
    return pod.spec().path("priority").asLong();
  }

  /// Where room is being made for it; empty: nowhere.
  static String nominatedNode(Pod pod) {
    return Json.text(pod.status(), "nominatedNodeName");
  }

  private static Instant began(Pod pod) {
    return Json.instant(pod.status(), "startTime").orElse(pod.meta().created());
  }

  /// The one that costs the least.
  ///
  /// @param fits of each of the nodes, why it does not do
  static Optional<Preemption> of(
      View view, Pod pod, List<Host> hosts, List<Fit> fits, BiFunction<Wanted, Host, Fit> fit) {
    if (Json.text(pod.spec(), "preemptionPolicy").equals("Never")) return Optional.empty();
    var some = new ArrayList<Preemption>();
    for (int i = 0; i < hosts.size() && some.size() < MOST; i++)
      if (fits.get(i) instanceof Refused refused && Unblocked.isFreedByPods(refused.refusal()))
        on(view, pod, hosts.get(i).name(), fit).ifPresent(some::add);
    return some.stream().min(LEAST);
  }

  private static Optional<Preemption> on(
      View view, Pod pod, String node, BiFunction<Wanted, Host, Fit> fit) {
    var victims =
        new ArrayList<>(
            view.podsOn(node).stream()
                .filter(other -> !other.nodeName().isEmpty() && priority(other) < priority(pod))
                .sorted(IMPORTANT_FIRST)
                .toList());
    if (victims.isEmpty() || !suits(view, pod, node, victims, fit)) return Optional.empty();
    for (var each : List.copyOf(victims)) {
      victims.remove(each);
      if (!suits(view, pod, node, victims, fit)) victims.add(each);
    }
    victims.sort(IMPORTANT_FIRST);
    return victims.isEmpty() ? Optional.empty() : Optional.of(new Preemption(node, victims));
  }

  private static boolean suits(
      View view, Pod pod, String node, List<Pod> gone, BiFunction<Wanted, Host, Fit> fit) {
    var without = view.without(List.copyOf(gone));
    return without
        .host(node)
        .filter(host -> fit.apply(Wanted.by(without, pod), host) instanceof Fits)
        .isPresent();
  }

  /// The first of those on its node that are going for it already.
  static Optional<Pod> underWay(View view, Pod pod) {
    var node = nominatedNode(pod);
    if (node.isEmpty()) return Optional.empty();
    return view.podsOn(node).stream()
        .filter(other -> other.meta().deleting() && priority(other) < priority(pod))
        .min(Comparator.comparing(other -> other.meta().deleted().orElseThrow()));
  }

  // P25
  static Wait untilGone(Pod victim, String node, Instant now) {
    long grace = Json.number(victim.spec(), "terminationGracePeriodSeconds").orElse(GRACE);
    return Wait.on(victim.ref())
        .since(victim.meta().deleted().map(at -> at.minusSeconds(grace)).orElse(now))
        .until(
            "%s has gone from node %s, where it makes room for this one"
                .formatted(victim.ref(), node))
        .ifLate(Duration.ofSeconds(grace), "see what keeps it: " + Commands.explain(victim.ref()));
  }
}

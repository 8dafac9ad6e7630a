package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Fits;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which of the nodes that do for a pod it gets. They are looked at best first, so that the first
/// that does ends the search: what it takes to know that a node does is asked of few of them.
final class Preference {
  private Preference() {}

  /// The node where a place is kept for the pod comes first; then one that has the pod's volumes,
  /// so that they need not move (SCHED-07); then one without taints that the pod dislikes; then one
  /// where it would rather be; then one with few pods.
  static Optional<Placement> best(Wanted wanted, Function<Host, Fit> fit) {
    var holders = wanted.holders();
    var pod = wanted.pod();
    var view = wanted.view();
    var having = holders.stream().flatMap(node -> view.host(node).stream());
    return first(own(wanted), fit)
        .or(() -> first(Candidates.among(having, pod), fit))
        .or(() -> first(others(wanted), fit));
  }

  /// Unless a claim is without a node again: there it could not be made.
  private static Stream<Host> own(Wanted wanted) {
    var view = wanted.view();
    boolean chosen =
        wanted.unbound().stream()
            .allMatch(it -> it.claim().selectedNode().isPresent() || it.reserved().isPresent());
    return chosen
        ? view.own().stream().flatMap(place -> view.host(place.node()).stream())
        : Stream.empty();
  }

  private static Stream<Host> others(Wanted wanted) {
    var pod = wanted.pod();
    var view = wanted.view();
    return Narrowing.hosts(wanted)
        .map(hosts -> Candidates.among(hosts.stream(), pod))
        .orElseGet(() -> Candidates.all(view, pod))
        .filter(host -> !wanted.holders().contains(host.name()));
  }

  private static Optional<Placement> first(Stream<Host> hosts, Function<Host, Fit> fit) {
    for (Iterator<Host> each = hosts.iterator(); each.hasNext(); )
      if (fit.apply(each.next()) instanceof Fits(var placement)) return Optional.of(placement);
    return Optional.empty();
  }
}

package dev.berth.controller.scheduler;

import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.NodeSelector;
import dev.berth.kube.model.Requirement;
import dev.berth.volume.Way;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which nodes are worth a look, where what a pod asks names them: a volume of one machine does not
/// send the scheduler through thousands of others. What is left out would have been refused.
final class Narrowing {
  private Narrowing() {}

  /// No node but these does; empty: any may.
  static Optional<Collection<Host>> hosts(Wanted wanted) {
    var view = wanted.view();
    var selected =
        wanted.claims().stream()
            .filter(claim -> !claim.fullyBound())
            .flatMap(claim -> claim.selectedNode().stream())
            .findFirst();
    if (selected.isPresent()) return Optional.of(view.host(selected.get()).stream().toList());
    int all = view.nodeCount();
    return Stream.concat(byPod(wanted), byVolumes(wanted))
        .min(Comparator.comparingInt(Collection::size))
        .filter(nodes -> nodes.size() < all / 8) // going through all is cheaper than finding many
        .map(nodes ->
            nodes.stream()
                .map(node -> node.meta().name())
                .distinct()
                .flatMap(name -> view.host(name).stream())
                .toList());
  }

  /// A label that every node has which the selector matches, as [View#label] writes it.
  static Optional<String> label(LabelSelector selector) {
    return selector.requirements().stream()
        .filter(it -> it.operator() == Requirement.Operator.IN && it.values().size() == 1)
        .map(it -> View.label(it.key(), it.values().getFirst()))
        .findFirst();
  }

  private static Stream<Collection<Node>> byPod(Wanted wanted) {
    var view = wanted.view();
    var labels =
        wanted.pod().nodeSelector().entrySet().stream()
            .map(label -> view.nodesLabelled(label.getKey(), label.getValue()));
    var affinity =
        wanted.pod().nodeAffinity().flatMap(selector -> selected(view, selector)).stream();
    return Stream.concat(labels, affinity);
  }

  private static Stream<Collection<Node>> byVolumes(Wanted wanted) {
    var view = wanted.view();
    return wanted.bound().stream()
        .flatMap(way ->
            way instanceof Way.Named it
                ? it.volume().nodeAffinity().flatMap(selector -> selected(view, selector)).stream()
                : Stream.empty());
  }

  /// At least those that the selector matches, if each of its terms names values of a label.
  private static Optional<Collection<Node>> selected(View view, NodeSelector selector) {
    var nodes = new ArrayList<Node>();
    for (var term : selector.terms()) {
      var named =
          term.expressions().stream()
              .filter(it -> it.operator() == Requirement.Operator.IN)
              .findFirst();
      if (named.isEmpty()) return Optional.empty();
      for (var value : named.get().values())
        nodes.addAll(view.nodesLabelled(named.get().key(), value));
    }
    return Optional.of(List.copyOf(nodes));
  }
}

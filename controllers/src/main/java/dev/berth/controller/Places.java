package dev.berth.controller;

import dev.berth.kube.model.Node;
import dev.berth.kube.model.NodeSelector;
import dev.berth.kube.model.Requirement;
import dev.berth.kube.model.Volume;
import java.util.List;
import java.util.stream.Stream;

/// Where a volume can be reached, as far as a label of the node names it: a volume of one machine
/// is filed under that machine. A node reaches only volumes that share a place with it; whether it
/// reaches such a one, its affinity says.
final class Places {
  private static final String ANYWHERE = "";

  /// What selectors call the node's own name.
  private static final String NAME = "metadata.name";

  private Places() {}

  /// None: no node reaches it.
  static List<String> of(Volume volume) {
    if (volume.nodeAffinity().isEmpty()) return List.of(ANYWHERE);
    return volume.nodeAffinity().get().terms().stream().flatMap(Places::of).distinct().toList();
  }

  private static Stream<String> of(NodeSelector.Term term) {
    return Stream.concat(term.fields().stream(), term.expressions().stream())
        .filter(it -> it.operator() == Requirement.Operator.IN)
        .findFirst()
        .map(it -> it.values().stream().map(value -> place(it.key(), value)))
        .orElseGet(() -> Stream.of(ANYWHERE));
  }

  static List<String> of(Node node) {
    var labels = node.meta().labels().entrySet().stream();
    return Stream.concat(
            Stream.of(ANYWHERE, place(NAME, node.meta().name())),
            labels.map(label -> place(label.getKey(), label.getValue())))
        .distinct()
        .toList();
  }

  static boolean reaches(Node node, Volume volume) {
    return volume.nodeAffinity().isEmpty() || volume.nodeAffinity().get().matches(node);
  }

  private static String place(String key, String value) {
    return key + '=' + value;
  }
}

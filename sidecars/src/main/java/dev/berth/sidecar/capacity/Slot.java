package dev.berth.sidecar.capacity;

import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.model.Requirement.Operator;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.sidecar.provisioner.topology.Segment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// For what room is published: a class, in a part of the cluster.
///
/// @param segment without pairs: the whole of it
public record Slot(String className, Segment segment) {
  /// What an object is for; empty: for something that we never say.
  static Optional<Slot> of(StorageCapacity capacity) {
    return capacity
        .topology()
        .flatMap(Slot::pairs)
        .map(pairs -> new Slot(capacity.className(), Segment.of(pairs)));
  }

  private static Optional<Map<String, String>> pairs(LabelSelector selector) {
    var pairs = new TreeMap<String, String>();
    for (var requirement : selector.requirements()) {
      if (requirement.operator() != Operator.IN || requirement.values().size() != 1)
        return Optional.empty();
      pairs.put(requirement.key(), requirement.values().getFirst());
    }
    return Optional.of(pairs);
  }

  @Override
  public String toString() {
    return className + segment.pairs();
  }
}

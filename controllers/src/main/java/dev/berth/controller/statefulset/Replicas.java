package dev.berth.controller.statefulset;

import dev.berth.controller.workload.Owned;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A set's pods, by their ordinals.
///
/// @param all in the order of their ordinals
record Replicas(Identity identity, List<Numbered> all) {
  /// A pod, and which of them it is.
  record Numbered(int ordinal, Pod pod) {}

  Replicas {
    all = List.copyOf(all);
  }

  static Replicas of(Identity identity, Snapshot objects) {
    return new Replicas(
        identity,
        Owned.pods(objects, identity.set()).stream()
            .flatMap(pod ->
                identity.ordinal(pod).stream().mapToObj(ordinal -> new Numbered(ordinal, pod)))
            .sorted(Comparator.comparingInt(Numbered::ordinal))
            .toList());
  }

  Optional<Pod> at(int ordinal) {
    return all.stream().filter(it -> it.ordinal() == ordinal).map(Numbered::pod).findFirst();
  }

  /// Those that are to go, the last first.
  List<Numbered> condemned() {
    return all.reversed().stream().filter(it -> !identity.isWanted(it.ordinal())).toList();
  }
}

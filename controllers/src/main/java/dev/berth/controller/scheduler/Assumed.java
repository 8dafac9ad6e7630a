package dev.berth.controller.scheduler;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Pods that have been given a node which the objects may not show yet (SCHED-16).
record Assumed(Map<ObjectKey, Placed> placed) {
  /// Nobody else places pods before the objects show it.
  static final Topic<Assumed> TOPIC =
      new Topic<>("pods placed a moment ago", new Assumed(Map.of()));

  /// @param pod as it was when it was placed
  record Placed(Pod pod, String node) {}

  Assumed {
    // In order: that of Map.copyOf is another in each process, and a seed would not tell the same.
    placed = Collections.unmodifiableMap(new LinkedHashMap<>(placed));
  }

  Assumed with(Pod pod, String node) {
    var more = new LinkedHashMap<>(placed);
    more.put(pod.meta().key(), new Placed(pod, node));
    return new Assumed(more);
  }

  Assumed without(ObjectKey pod) {
    var fewer = new LinkedHashMap<>(placed);
    fewer.remove(pod);
    return new Assumed(fewer);
  }

  /// Those that `objects` do not show.
  Assumed unshownBy(Snapshot objects) {
    var unshown = new LinkedHashMap<>(placed);
    unshown.values().removeIf(each -> isShown(each, objects));
    return unshown.size() == placed.size() ? this : new Assumed(unshown);
  }

  Map<String, List<Pod>> byNode() {
    return placed.values().stream()
        .collect(
            Collectors.groupingBy(
                Placed::node, Collectors.mapping(Placed::pod, Collectors.toUnmodifiableList())));
  }

  /// Pods that no longer are in `after` and have not got a node.
  Stream<Pod> givenBack(Assumed after, Snapshot objects) {
    return placed.entrySet().stream()
        .filter(each -> !after.placed.containsKey(each.getKey()))
        .map(Map.Entry::getValue)
        .filter(each -> itself(each, objects).filter(pod -> !pod.nodeName().isEmpty()).isEmpty())
        .map(Placed::pod);
  }

  /// Whether the place is kept for this very pod.
  boolean has(Pod pod) {
    var known = placed.get(pod.meta().key());
    return known != null && known.pod().meta().uid().equals(pod.meta().uid());
  }

  /// One that has ended or gone needs no place.
  private static boolean isShown(Placed assumed, Snapshot objects) {
    return itself(assumed, objects)
        .filter(pod -> pod.nodeName().isEmpty() && !pod.finished())
        .isEmpty();
  }

  private static Optional<Pod> itself(Placed assumed, Snapshot objects) {
    return objects
        .get(Kinds.POD, assumed.pod().meta().key())
        .found()
        .filter(pod -> pod.meta().uid().equals(assumed.pod().meta().uid()));
  }
}

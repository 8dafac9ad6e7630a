package dev.berth.controller.scheduler;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Pods that have been given a place on a node which the objects may not show yet: something is
/// reserved or made for them there, or they are being bound to it (SCHED-16).
record Assumed(Map<ObjectKey, Placed> placed) {
  /// Nobody else places pods before the objects show it.
  static final Topic<Assumed> TOPIC =
      new Topic<>("pods placed a moment ago", new Assumed(Map.of()));

  /// More are not remembered without need.
  static final int MOST = 64;

  /// Of a pod for which nothing is waited for any more; far from the end of what can be counted.
  static final Instant UNTIMED = Instant.parse("9999-12-31T00:00:00Z");

  /// @param pod as it was when it was placed
  /// @param since when it first was, on this node
  record Placed(Pod pod, String node, Instant since) {
    private boolean isKept(@Nullable Placed later) {
      return later != null && later.node.equals(node);
    }
  }

  Assumed {
    // In order: that of Map.copyOf is another in each process, and a seed would not tell the same.
    placed = Collections.unmodifiableMap(new LinkedHashMap<>(placed));
  }

  Assumed with(Pod pod, String node, Instant at) {
    var more = new LinkedHashMap<>(placed);
    var since = of(pod).filter(it -> it.node().equals(node)).map(Placed::since).orElse(at);
    more.put(pod.meta().key(), new Placed(pod, node, since));
    return new Assumed(more);
  }

  /// Without those that were placed first, if there are many: each look goes through all of them.
  /// Only those go of which the objects show where they have their place.
  Assumed few(Snapshot objects) {
    if (placed.size() <= MOST) return this;
    var fewer = new LinkedHashMap<>(placed);
    for (var each : placed.entrySet()) {
      if (fewer.size() <= MOST) break;
      if (Pins.shows(each.getValue(), objects)) fewer.remove(each.getKey());
    }
    return new Assumed(fewer);
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

  /// Pods that no longer are in `after`, or elsewhere, and have not got a node.
  Stream<Pod> givenBack(Assumed after, Snapshot objects) {
    return placed.entrySet().stream()
        .filter(each -> !each.getValue().isKept(after.placed.get(each.getKey())))
        .map(Map.Entry::getValue)
        .filter(each -> !Pins.shows(each, objects))
        .filter(each -> itself(each, objects).filter(pod -> !pod.nodeName().isEmpty()).isEmpty())
        .map(Placed::pod);
  }

  /// The place that is kept for this very pod.
  Optional<Placed> of(Pod pod) {
    return Optional.ofNullable(placed.get(pod.meta().key()))
        .filter(known -> known.pod().meta().uid().equals(pod.meta().uid()));
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

package dev.berth.controller.disruption;

import dev.berth.kube.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A budget's pods, counted.
///
/// @param healthy ready, not being deleted and not let go
/// @param awaited pods that were let go and are not being deleted yet, and since when
/// @param overdue pods that were let go and are still there
/// @param recheck when one of the awaited is overdue; empty: never
record Account(
    long healthy, Map<String, Instant> awaited, List<Pod> overdue, Optional<Instant> recheck) {
  /// How long a pod that was let go may take until it is being deleted.
  static final Duration PATIENCE = Duration.ofMinutes(2);

  static Account of(Budget budget, List<Pod> pods, Instant now) {
    var awaited = new TreeMap<String, Instant>();
    var staying = pods.stream().filter(pod -> !pod.meta().deleting()).toList();
    for (var pod : staying) {
      var since = budget.disrupted().get(pod.meta().name());
      if (since != null && !since.plus(PATIENCE).isBefore(now))
        awaited.put(pod.meta().name(), since);
    }
    var overdue =
        staying.stream()
            .filter(pod -> budget.disrupted().containsKey(pod.meta().name()))
            .filter(pod -> !awaited.containsKey(pod.meta().name()))
            .toList();
    long healthy =
        staying.stream()
            .filter(pod -> !awaited.containsKey(pod.meta().name()))
            .filter(Account::isReady)
            .count();
    var recheck =
        awaited.values().stream()
            .min(Instant::compareTo)
            .map(it -> it.plus(PATIENCE).plusMillis(1));
    return new Account(healthy, awaited, overdue, recheck);
  }

  private static boolean isReady(Pod pod) {
    for (var each : pod.status().path("conditions"))
      if (each.path("type").asText().equals("Ready"))
        return each.path("status").asText().equals("True");
    return false;
  }
}

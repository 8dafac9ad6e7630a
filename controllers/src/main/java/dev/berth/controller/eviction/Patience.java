package dev.berth.controller.eviction;

import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How long a pod may stay on a node that has taints with the effect `NoExecute` (PGC-02).
///
/// @param untolerated a taint that it does not tolerate at all
/// @param lasts how long it tolerates the others; empty: for ever
record Patience(Optional<Taint> untolerated, Optional<Duration> lasts) {
  /// The first toleration that speaks of a taint is the one that counts; of several taints, the one
  /// that it tolerates for the shortest time.
  static Patience of(Pod pod, List<Taint> taints) {
    Optional<Duration> shortest = Optional.empty();
    for (var taint : taints) {
      var tolerating = pod.tolerations().stream().filter(it -> it.tolerates(taint)).findFirst();
      if (tolerating.isEmpty()) return new Patience(Optional.of(taint), Optional.empty());
      var seconds = tolerating.get().seconds();
      if (seconds.isEmpty()) continue;
      var lasts = Duration.ofSeconds(Math.max(0, seconds.getAsLong()));
      if (shortest.filter(it -> it.compareTo(lasts) <= 0).isEmpty()) shortest = Optional.of(lasts);
    }
    return new Patience(Optional.empty(), shortest);
  }
}

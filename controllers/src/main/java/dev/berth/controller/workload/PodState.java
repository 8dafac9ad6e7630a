package dev.berth.controller.workload;

import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Pod.Phase;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How far a pod has come, as those see it who count pods.
public final class PodState {
  private PodState() {}

  /// When it became ready; empty: it is not, or does not run.
  public static Optional<Instant> readySince(Pod pod) {
    if (pod.phase() != Phase.RUNNING) return Optional.empty();
    for (var condition : pod.status().path("conditions"))
      if (Json.text(condition, "type").equals("Ready")
          && Json.text(condition, "status").equals("True"))
        return Json.instant(condition, "lastTransitionTime").or(() -> Optional.of(Instant.EPOCH));
    return Optional.empty();
  }

  /// Whether it runs and is ready.
  public static boolean isReady(Pod pod) {
    return readySince(pod).isPresent();
  }

  /// When it has been ready for so long; empty: it is not ready.
  public static Optional<Instant> availableAt(Pod pod, Duration minReady) {
    return readySince(pod).map(since -> minReady.isZero() ? since : since.plus(minReady));
  }

  /// Whether it has been ready for so long.
  public static boolean isAvailable(Pod pod, Duration minReady, Instant now) {
    return availableAt(pod, minReady).filter(at -> !at.isAfter(now)).isPresent();
  }
}

package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.simulation.driver.Backend;
import java.util.Optional;

/// Every pod that is not on its way out runs, and every other one is gone.
final class PodsRun implements Invariant {
  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return objects.all(Kinds.POD).stream()
        .filter(pod -> pod.meta().deleting() || pod.phase() != Pod.Phase.RUNNING)
        .findFirst()
        .map(pod ->
            "pod %s is %s%s"
                .formatted(
                    pod.meta().key(),
                    pod.phase(),
                    pod.meta().deleting() ? " and terminating" : ""));
  }
}

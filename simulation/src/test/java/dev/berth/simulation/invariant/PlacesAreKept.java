package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.SimulatedDriver;
import dev.berth.volume.PodClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Pods that live on a node never use more volumes than it takes (SCHED-30), and a ReadWriteOncePod
/// claim has one pod with a node at a time (SCHED-34).
final class PlacesAreKept implements Invariant {
  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    var claims = new HashMap<String, Set<ObjectKey>>(); // by node
    var users = new HashMap<ObjectKey, Pod>();
    for (var pod : objects.all(Kinds.POD)) {
      if (pod.nodeName().isEmpty() || pod.finished()) continue;
      for (var used : PodClaim.of(pod)) {
        var claim = used.key();
        claims.computeIfAbsent(pod.nodeName(), _ -> new HashSet<>()).add(claim);
        var other = users.put(claim, pod);
        if (other != null && forOnePod(objects, claim))
          return Optional.of(
              "claim %s, for one pod, is used by %s and %s"
                  .formatted(claim, other.meta().key(), pod.meta().key()));
      }
    }
    return objects.all(Kinds.CSI_NODE).stream()
        .flatMap(node -> exceeded(node, claims).stream())
        .findFirst();
  }

  private static boolean forOnePod(Snapshot objects, ObjectKey claim) {
    return objects
        .get(Kinds.CLAIM, claim)
        .found()
        .filter(it -> it.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD))
        .isPresent();
  }

  private static Optional<String> exceeded(CsiNode node, Map<String, Set<ObjectKey>> claims) {
    var used = claims.getOrDefault(node.meta().name(), Set.of());
    return node.driver(SimulatedDriver.NAME).stream()
        .flatMapToLong(driver -> driver.maxVolumes().stream())
        .filter(limit -> used.size() > limit)
        .mapToObj(limit ->
            "node %s takes %d volumes, its pods use %s".formatted(node.meta().name(), limit, used))
        .findFirst();
  }
}

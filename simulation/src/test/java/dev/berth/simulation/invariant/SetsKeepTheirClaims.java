package dev.berth.simulation.invariant;

import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.simulation.driver.Backend;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.IntStream;

/// No claim of a set that retains its claims is given to anybody who takes it along, or deleted but
/// by people; no claim of a set is used by two pods on nodes. At rest each set has the pods that it
/// is to have, by their names, and says so.
public final class SetsKeepTheirClaims implements Invariant {
  /// Name of the set that retains its claims.
  public static final String RETAINING = "web";

  /// Label of a claim that people delete.
  public static final String UNWANTED = "unwanted";

  private static final String CLAIMS = "data-" + RETAINING + "-";

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    for (var claim : objects.all(Kinds.CLAIM)) {
      var meta = claim.meta();
      if (!meta.name().startsWith(CLAIMS) || meta.labels().containsKey(UNWANTED)) continue;
      if (!meta.owners().isEmpty())
        return Optional.of("claim %s goes with %s".formatted(meta.name(), meta.owners()));
      if (meta.deleting()) return Optional.of("claim %s is deleted".formatted(meta.name()));
    }
    var users = new HashMap<String, String>();
    for (var pod : objects.all(Kinds.POD)) {
      var ordinal = pod.meta().labels().get("statefulset.kubernetes.io/pod-name");
      if (ordinal == null || pod.nodeName().isEmpty() || pod.finished()) continue;
      var other = users.put(pod.meta().namespace() + "/" + ordinal, pod.meta().name());
      if (other != null)
        return Optional.of("%s and %s are both %s".formatted(other, pod.meta().name(), ordinal));
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return objects.all(Workload.STATEFUL_SET).stream()
        .flatMap(set -> unrest(objects, set).stream())
        .findFirst();
  }

  private static Optional<String> unrest(Snapshot objects, Workload set) {
    var name = set.meta().name();
    if (set.meta().deleting()) return Optional.of("set %s is left, though deleted".formatted(name));
    boolean up =
        IntStream.range(0, set.replicas())
            .mapToObj(it -> ObjectKey.of(set.meta().namespace(), name + "-" + it))
            .allMatch(it -> isUp(objects, set, it));
    if (!up) return Optional.of("set %s lacks pods".formatted(name));
    return set.status().path("readyReplicas").asInt() == set.replicas()
            && set.status().path("replicas").asInt() == set.replicas()
            && set.status().path("updatedReplicas").asInt() == set.replicas()
            && set.status().path("observedGeneration").asLong() == set.generation()
        ? Optional.empty()
        : Optional.of("set %s says %s".formatted(name, set.status()));
  }

  private static boolean isUp(Snapshot objects, Workload set, ObjectKey pod) {
    return objects
        .get(Kinds.POD, pod)
        .found()
        .filter(it -> set.owns(it.meta()))
        .filter((Pod it) -> !it.meta().deleting() && PodState.isReady(it))
        .isPresent();
  }
}

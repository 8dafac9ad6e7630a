package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import java.util.stream.Stream;

/// Whether an object's own fields prove that nothing is wrong with it, for who sees no more than
/// the object.
final class Health {
  private Health() {}

  static boolean isProved(Ref subject, Snapshot objects) {
    return Stream.concat(
            subject
                .as(Kinds.POD)
                .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
                .map(Health::isWell),
            subject
                .as(Kinds.CLAIM)
                .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
                .map(Health::isWell))
        .anyMatch(Boolean::booleanValue);
  }

  private static boolean isWell(Pod pod) {
    return !pod.meta().deleting()
        && (pod.phase() == Pod.Phase.SUCCEEDED
            || pod.status()
                .path("conditions")
                .valueStream()
                .anyMatch(it ->
                    it.path("type").asText().equals("Ready")
                        && it.path("status").asText().equals("True")));
  }

  private static boolean isWell(Claim claim) {
    return claim.phase() == Claim.Phase.BOUND
        && !claim.meta().deleting()
        && claim.conditions().isEmpty();
  }
}

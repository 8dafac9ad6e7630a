package dev.berth.controller.disruption;

import dev.berth.controller.workload.Workload;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/// How many pods a budget reckons with, and how many of them must be healthy.
sealed interface Expectation {
  /// What keeps a number of pods.
  List<Kind<Workload>> KEEPERS =
      List.of(
          Workload.REPLICA_SET,
          Workload.DEPLOYMENT,
          Workload.STATEFUL_SET,
          Workload.REPLICATION_CONTROLLER);

  /// @param unmanaged pods that nothing keeps: parts of a whole cannot be counted with them
  record Counted(long expected, long desired, List<String> unmanaged) implements Expectation {
    public Counted {
      unmanaged = List.copyOf(unmanaged);
    }
  }

  /// It cannot be told.
  record Unclear(String why) implements Expectation {}

  /// As upstream: a number of pods that must stay is compared with the pods that are there,
  /// everything else with the pods that their keepers are to have.
  static Expectation of(Budget budget, List<Pod> pods, Snapshot objects) {
    if (budget.maxUnavailable().isPresent()) {
      var most = budget.maxUnavailable().get();
      return scale(pods, objects).then(expected -> Math.max(0, expected - most.of(expected)));
    }
    if (budget.minAvailable().isEmpty()) return new Counted(0, 0, List.of());
    var least = budget.minAvailable().get();
    return switch (least) {
      case Budget.Share.Count(int wanted) -> new Counted(pods.size(), wanted, List.of());
      case Budget.Share.Percent _ -> scale(pods, objects).then(least::of);
    };
  }

  /// With what must be healthy of what is expected.
  private Expectation then(LongUnaryOperator desired) {
    return switch (this) {
      case Counted(long expected, _, var unmanaged) ->
          new Counted(expected, desired.applyAsLong(expected), unmanaged);
      case Unclear unclear -> unclear;
    };
  }

  /// The pods that the keepers of `pods` are to have, each keeper once.
  private static Expectation scale(List<Pod> pods, Snapshot objects) {
    var unmanaged = new ArrayList<String>();
    var replicas = new HashMap<String, Integer>(); // by the keeper's uid
    var seen = new HashMap<String, String>(); // the keeper's uid by that of a pod's owner
    for (var pod : pods) {
      var owner = pod.meta().controllerOwner();
      if (owner.isEmpty()) {
        unmanaged.add(pod.meta().name());
        continue;
      }
      if (seen.containsKey(owner.get().uid())) continue;
      var keeper = keeper(owner.get(), pod.meta().namespace(), objects);
      if (keeper.isEmpty())
        return new Unclear("found no controllers for pod \"%s\"".formatted(pod.meta().name()));
      seen.put(owner.get().uid(), keeper.get().meta().uid());
      replicas.put(keeper.get().meta().uid(), keeper.get().replicas());
    }
    long expected = replicas.values().stream().mapToLong(Integer::longValue).sum();
    return new Counted(expected, 0, unmanaged);
  }

  /// A Deployment says for its ReplicaSets how many there are to be.
  private static Optional<Workload> keeper(Owner owner, String namespace, Snapshot objects) {
    var found = found(owner, namespace, objects);
    return found
        .flatMap(set -> set.meta().controllerOwner())
        .filter(above -> above.kind().equals(Workload.DEPLOYMENT.resource().kind()))
        .flatMap(above -> found(above, namespace, objects))
        .or(() -> found);
  }

  private static Optional<Workload> found(Owner owner, String namespace, Snapshot objects) {
    return KEEPERS.stream()
        .filter(kind -> is(kind, owner))
        .flatMap(kind -> objects.get(kind, ObjectKey.of(namespace, owner.name())).found().stream())
        .filter(workload -> workload.meta().uid().equals(owner.uid()))
        .findFirst();
  }

  /// ReplicaSets and Deployments were of group `extensions` once.
  private static boolean is(Kind<?> kind, Owner owner) {
    var group = owner.apiVersion().contains("/") ? owner.apiVersion().replaceFirst("/.*", "") : "";
    return kind.resource().kind().equals(owner.kind())
        && kind.resource().group().equals(group.equals("extensions") ? "apps" : group);
  }
}

package dev.berth.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.List;

/// What keeps a number of pods: a ReplicaSet, a Deployment, a StatefulSet or a
/// ReplicationController.
///
/// @param replicas how many pods it is to have
record Workload(Meta meta, int replicas) implements KubeObject {
  static final Kind<Workload> REPLICA_SETS = kind(StoredResources.REPLICA_SETS);
  static final Kind<Workload> DEPLOYMENTS = kind(StoredResources.DEPLOYMENTS);
  static final Kind<Workload> STATEFUL_SETS = kind(StoredResources.STATEFUL_SETS);
  static final Kind<Workload> REPLICATION_CONTROLLERS =
      kind(StoredResources.REPLICATION_CONTROLLERS);

  static final List<Kind<Workload>> KINDS =
      List.of(REPLICA_SETS, DEPLOYMENTS, STATEFUL_SETS, REPLICATION_CONTROLLERS);

  private static Kind<Workload> kind(Resource resource) {
    return new Kind<>(resource, Workload::of);
  }

  private static Workload of(JsonNode object) {
    return new Workload(Meta.of(object), object.path("spec").path("replicas").asInt(1));
  }
}

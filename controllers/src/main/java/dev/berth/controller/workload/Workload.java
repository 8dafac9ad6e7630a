package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.List;

/// What keeps pods: a StatefulSet, a Deployment, and so on. One record for all of them, as a cache
/// has one of each kind, and as most of what they say is a template that is handed on as it is.
///
/// @param resource which of them it is
/// @param generation of its `spec`, counted by the server
/// @param spec the whole `spec`, never to be changed
/// @param status the whole `status`, never to be changed
public record Workload(
    Resource resource, Meta meta, long generation, JsonNode spec, JsonNode status)
    implements KubeObject {
  public static final Kind<Workload> STATEFUL_SET = kind(Resources.STATEFUL_SETS);
  public static final Kind<Workload> REPLICA_SET = kind(Resources.REPLICA_SETS);
  public static final Kind<Workload> DEPLOYMENT = kind(Resources.DEPLOYMENTS);
  public static final Kind<Workload> DAEMON_SET = kind(Resources.DAEMON_SETS);
  public static final Kind<Workload> JOB = kind(Resources.JOBS);
  public static final Kind<Workload> CRON_JOB = kind(Resources.CRON_JOBS);
  public static final Kind<Workload> REPLICATION_CONTROLLER =
      kind(StoredResources.REPLICATION_CONTROLLERS);

  /// Those that Berth works for; ReplicationControllers are only counted.
  public static final List<Kind<?>> KINDS =
      List.of(STATEFUL_SET, REPLICA_SET, DEPLOYMENT, DAEMON_SET, JOB, CRON_JOB, StateRecord.KIND);

  private static Kind<Workload> kind(Resource resource) {
    return new Kind<>(resource, object -> of(resource, object));
  }

  private static Workload of(Resource resource, JsonNode object) {
    return new Workload(
        resource,
        Meta.of(object),
        object.path("metadata").path("generation").asLong(),
        object.path("spec"),
        object.path("status"));
  }

  public Ref ref() {
    return Ref.of(resource, meta);
  }

  /// `spec.replicas`, 1 if it is not said.
  public int replicas() {
    return spec.path("replicas").asInt(1);
  }

  /// The pods that it may take for its own.
  public LabelSelector selector() {
    return LabelSelector.of(spec.path("selector"));
  }

  /// The pods that it makes.
  public JsonNode template() {
    return spec.path("template");
  }

  /// Whether an object says that it is managed by this very one.
  public boolean owns(Meta object) {
    return object.controllerOwner().filter(owner -> owner.uid().equals(meta.uid())).isPresent();
  }
}

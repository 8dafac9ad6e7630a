package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.WorkloadEffect.Change.Part;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which objects are a workload's: those whose controller it is, and those that nobody has and that
/// bear its labels.
public final class Owned {
  /// Pods by the uid of the workload that manages them.
  public static final Index<Pod> PODS =
      new Index<>(Kinds.POD, "controller", pod -> owner(pod.meta()));

  /// Pods that nobody manages, by `namespace` and by `namespace/label=value`.
  private static final Index<Pod> LOOSE_PODS =
      new Index<>(Kinds.POD, "loose", pod -> loose(pod.meta()));

  private Owned() {}

  /// The uid of whoever manages an object.
  public static List<String> owner(Meta meta) {
    return meta.controllerOwner().map(Owner::uid).stream().toList();
  }

  private static List<String> loose(Meta meta) {
    if (meta.controllerOwner().isPresent()) return List.of();
    var values = new ArrayList<>(List.of(meta.namespace()));
    meta.labels().forEach((key, value) -> values.add(label(meta.namespace(), key, value)));
    return values;
  }

  private static String label(String namespace, String key, String value) {
    return namespace + "/" + key + "=" + value;
  }

  /// Pods in its namespace that nobody manages.
  public static Collection<Pod> loose(Snapshot objects, Workload workload) {
    return objects.by(LOOSE_PODS, workload.meta().namespace());
  }

  /// The pods that it manages.
  public static List<Pod> pods(Snapshot objects, Workload workload) {
    return List.copyOf(objects.by(PODS, workload.meta().uid()));
  }

  /// The next of its pods or of those without an owner to be let go or taken on: what bears its
  /// labels is its own, what does not bear them any more is not.
  ///
  /// @param like whether a pod that nobody has could be one of its
  public static Optional<WorkloadEffect> correction(
      Snapshot objects, Workload workload, Predicate<Pod> like) {
    var selector = workload.selector();
    for (var pod : objects.by(PODS, workload.meta().uid()))
      if (!selector.matches(pod.meta().labels()) && !pod.meta().deleting())
        return Optional.of(release(workload, Kinds.POD, pod.meta()));
    for (var pod : loosePods(objects, workload))
      if (selector.matches(pod.meta().labels())
          && !pod.meta().deleting()
          && !pod.finished()
          && like.test(pod)) return Optional.of(adopt(workload, Kinds.POD, pod.meta()));
    return Optional.empty();
  }

  private static Iterable<Pod> loosePods(Snapshot objects, Workload workload) {
    var namespace = workload.meta().namespace();
    for (var wanted : workload.spec().path("selector").path("matchLabels").properties())
      return objects.by(LOOSE_PODS, label(namespace, wanted.getKey(), wanted.getValue().asText()));
    return objects.by(LOOSE_PODS, namespace);
  }

  /// Becomes the controller of an object that has none.
  public static WorkloadEffect adopt(Workload workload, Kind<?> kind, Meta meta) {
    return new WorkloadEffect.Adopt(
        workload.ref(), owners(kind, meta, List.of(), Optional.of(reference(workload))));
  }

  /// Is its controller no longer.
  public static WorkloadEffect release(Workload workload, Kind<?> kind, Meta meta) {
    return owners(kind, meta, List.of(workload.meta().uid()), Optional.empty());
  }

  /// Writes who owns an object, and leaves all others that do.
  ///
  /// @param without uids of those that do not any more
  public static WorkloadEffect.Change owners(
      Kind<?> kind, Meta meta, List<String> without, Optional<ObjectNode> with) {
    var body = JsonNodeFactory.instance.objectNode();
    var owners = body.putObject("metadata").putArray("ownerReferences");
    for (var uid : without) owners.addObject().put("$patch", "delete").put("uid", uid);
    with.ifPresent(owners::add);
    return new WorkloadEffect.Change(kind.resource(), Revision.of(meta), body, Part.LISTS);
  }

  /// The reference of what a workload manages.
  public static ObjectNode reference(Workload workload) {
    return reference(workload.resource().apiVersion(), workload.resource().kind(), workload.meta());
  }

  /// The reference of what `owner` manages.
  public static ObjectNode reference(String apiVersion, String kind, Meta owner) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", apiVersion)
        .put("kind", kind)
        .put("name", owner.name())
        .put("uid", owner.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }

  /// The workloads of a kind that a change of an object, as it was and as it is, may be news to:
  /// the one that manages it, or those whose labels it bears.
  public static Stream<ObjectKey> keepers(
      Kind<Workload> kind, Index<Workload> byNamespace, Snapshot objects, Stream<Meta> owned) {
    return owned.flatMap(it -> keepers(kind, byNamespace, objects, it)).distinct();
  }

  private static Stream<ObjectKey> keepers(
      Kind<Workload> kind, Index<Workload> byNamespace, Snapshot objects, Meta pod) {
    var owner = pod.controllerOwner();
    if (owner.isPresent())
      return Stream.of(owner.get())
          .filter(it -> is(it, kind))
          .map(it -> ObjectKey.of(pod.namespace(), it.name()));
    if (pod.labels().isEmpty()) return Stream.empty();
    return objects.by(byNamespace, pod.namespace()).stream()
        .filter(workload -> workload.selector().matches(pod.labels()))
        .map(workload -> workload.meta().key());
  }

  /// Whether it refers to one of a kind.
  public static boolean is(Owner owner, Kind<? extends KubeObject> kind) {
    return owner.kind().equals(kind.resource().kind())
        && owner.apiVersion().equals(kind.resource().apiVersion());
  }
}

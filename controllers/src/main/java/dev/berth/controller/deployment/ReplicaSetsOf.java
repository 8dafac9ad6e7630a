package dev.berth.controller.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Texts;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The ReplicaSets of a Deployment, one for each template that it has had.
///
/// @param all the oldest first
/// @param present the one of its present template; empty: it has none yet
/// @param name what a set of the present template is called
/// @param hash the label of that one's pods
/// @param collisions how many names were found taken for it
record ReplicaSetsOf(
    Workload deployment,
    List<Workload> all,
    Optional<Workload> present,
    ObjectKey name,
    String hash,
    int collisions) {
  private static final String HASH = "pod-template-hash";
  private static final String NUMBER = "deployment.kubernetes.io/revision";

  /// What says something of the object that bears it, and not of its pods.
  private static final Set<String> OWN =
      Set.of(
          Annotations.LAST_APPLIED,
          NUMBER,
          "deployment.kubernetes.io/revision-history",
          "deployment.kubernetes.io/desired-replicas",
          "deployment.kubernetes.io/max-replicas");

  private static final Index<Workload> SETS =
      new Index<>(Workload.REPLICA_SET, "controller", set -> Owned.owner(set.meta()));

  private static final Index<Workload> LOOSE =
      new Index<>(
          Workload.REPLICA_SET,
          "loose",
          set ->
              set.meta().controllerOwner().isPresent()
                  ? List.of()
                  : List.of(set.meta().namespace()));

  ReplicaSetsOf {
    all = List.copyOf(all);
  }

  static ReplicaSetsOf of(Workload deployment, Snapshot objects) {
    var all =
        objects.by(SETS, deployment.meta().uid()).stream()
            .sorted(
                Comparator.comparing((Workload set) -> set.meta().created())
                    .thenComparing(set -> set.meta().name()))
            .toList();
    var template = text(deployment.template());
    var present = all.stream().filter(set -> text(set.template()).equals(template)).findFirst();
    int collisions = deployment.status().path("collisionCount").asInt();
    for (; ; collisions++) {
      var hash = Texts.hash(deployment.template(), collisions);
      var key = ObjectKey.of(deployment.meta().namespace(), deployment.meta().name() + "-" + hash);
      if (present.isEmpty() && objects.get(Workload.REPLICA_SET, key).found().isPresent()) continue;
      return new ReplicaSetsOf(deployment, all, present, key, hash, collisions);
    }
  }

  /// The template without what a Deployment adds to it.
  private static String text(JsonNode template) {
    ObjectNode copy = template.deepCopy();
    if (copy.path("metadata").path("labels") instanceof ObjectNode labels) labels.remove(HASH);
    return Texts.canonical(copy);
  }

  /// Those of former templates, the oldest first.
  List<Workload> old() {
    return all.stream().filter(set -> !Optional.of(set).equals(present)).toList();
  }

  /// How many pods all of them are to have.
  int total() {
    return all.stream().mapToInt(Workload::replicas).sum();
  }

  /// Which roll-out of its Deployment it was.
  static long number(Workload set) {
    var number = set.meta().annotation(NUMBER).orElse("0");
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : 0;
  }

  /// The next set to be taken or let go.
  Optional<WorkloadEffect> correction(Snapshot objects) {
    var selector = deployment.selector();
    for (var set : all)
      if (!selector.matches(set.meta().labels()) && !set.meta().deleting())
        return Optional.of(Owned.release(deployment, Workload.REPLICA_SET, set.meta()));
    for (var set : objects.by(LOOSE, deployment.meta().namespace()))
      if (selector.matches(set.meta().labels()) && !set.meta().deleting())
        return Optional.of(Owned.adopt(deployment, Workload.REPLICA_SET, set.meta()));
    return Optional.empty();
  }

  /// The number of the roll-out, on the set first and then on the Deployment: kubectl goes by it.
  Optional<WorkloadEffect> marked() {
    if (present.isEmpty()) return Optional.empty();
    var set = present.get();
    long newest = old().stream().mapToLong(ReplicaSetsOf::number).max().orElse(0);
    if (number(set) <= newest) {
      var body = annotations(Long.toString(newest + 1));
      if (number(set) > 0) {
        var before = set.meta().annotation("deployment.kubernetes.io/revision-history");
        body.withObject("/metadata/annotations")
            .put(
                "deployment.kubernetes.io/revision-history",
                before.map(it -> it + ",").orElse("") + number(set));
      }
      return Optional.of(
          new Change(set.resource(), Revision.of(set.meta()), body, Change.Part.OBJECT));
    }
    var number = Long.toString(number(set));
    if (deployment.meta().annotation(NUMBER).equals(Optional.of(number))) return Optional.empty();
    var body = JsonNodeFactory.instance.objectNode();
    body.withObject("/metadata/annotations").put(NUMBER, number);
    return Optional.of(
        new Change(
            deployment.resource(), Revision.of(deployment.meta()), body, Change.Part.OBJECT));
  }

  private ObjectNode annotations(String number) {
    var body = JsonNodeFactory.instance.objectNode();
    var annotations = body.withObject("/metadata/annotations");
    deployment.meta().annotations().entrySet().stream()
        .filter(it -> !OWN.contains(it.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(it -> annotations.put(it.getKey(), it.getValue()));
    annotations.put(NUMBER, number);
    return body;
  }

  /// A set of the present template.
  Birth birth(int replicas) {
    var set = JsonNodeFactory.instance.objectNode();
    long newest = all.stream().mapToLong(ReplicaSetsOf::number).max().orElse(0);
    var meta = set.putObject("metadata");
    meta.put("namespace", name.namespace()).put("name", name.name());
    var labels = meta.putObject("labels");
    Json.texts(deployment.template().path("metadata").path("labels")).forEach(labels::put);
    labels.put(HASH, hash);
    meta.set("annotations", annotations(Long.toString(newest + 1)).at("/metadata/annotations"));
    meta.putArray("ownerReferences").add(Owned.reference(deployment));
    var spec = set.putObject("spec").put("replicas", replicas);
    if (deployment.spec().has("minReadySeconds"))
      spec.set("minReadySeconds", deployment.spec().path("minReadySeconds"));
    ObjectNode selector = deployment.spec().path("selector").deepCopy();
    selector.withObject("/matchLabels").put(HASH, hash);
    spec.set("selector", selector);
    ObjectNode template = deployment.template().deepCopy();
    template.withObject("/metadata/labels").put(HASH, hash);
    spec.set("template", template);
    return new Birth(
        Resources.REPLICA_SETS,
        set,
        Optional.of(
            Notice.normal(
                deployment.ref(),
                Reasons.SCALING_REPLICA_SET,
                "Scaled up replica set %s from 0 to %d".formatted(name.name(), replicas))),
        Optional.of(
            Notice.warning(
                deployment.ref(),
                Reasons.REPLICA_SET_CREATE_ERROR,
                "Failed to create new replica set \"%s\": ".formatted(name.name()))));
  }
}

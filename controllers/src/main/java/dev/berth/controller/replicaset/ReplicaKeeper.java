package dev.berth.controller.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.PodForm;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.Texts;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Decides how many pods a ReplicaSet lacks, or has too many.
record ReplicaKeeper() implements Decider<ObjectKey, ReplicaKeeper.View, WorkloadEffect> {
  private static final Index<Workload> SETS =
      new Index<>(Workload.REPLICA_SET, "namespace", set -> List.of(set.meta().namespace()));

  /// How many pods come or go in one go.
  private static final int MOST = 500;

  private static final int LONGEST_PREFIX = 57;

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "replicaset";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Workload.REPLICA_SET, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Owned.keepers(
                    Workload.REPLICA_SET,
                    SETS,
                    objects,
                    Stream.of(change.before(), change.after())
                        .flatMap(Optional::stream)
                        .map(pod -> pod.meta()))));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Workload.REPLICA_SET, key)) {
      case Missing<Workload> _ -> new Settled();
      case Found<Workload>(var set) when set.meta().deleting() -> new Settled();
      case Found<Workload>(var set) -> decide(view, set);
    };
  }

  private static Step decide(View view, Workload set) {
    var correction = Owned.correction(view.objects, set, _ -> true);
    if (correction.isPresent()) return new Act(correction.get());
    var pods = Owned.pods(view.objects, set);
    var living = pods.stream().filter(pod -> !pod.meta().deleting() && !pod.finished()).toList();
    var minReady = Duration.ofSeconds(set.spec().path("minReadySeconds").asLong());
    var status = status(set, living, minReady, view.now);
    if (status.isPresent())
      return new Act(
          new Change(set.resource(), Revision.of(set.meta()), status.get(), Change.Part.STATUS));
    int missing = set.replicas() - living.size();
    if (missing > 0) return new Act(new Make(births(set, pods, Math.min(missing, MOST))));
    if (missing < 0)
      return new Act(
          new Remove(
              living.stream()
                  .sorted(expendable())
                  .limit(Math.min(-missing, MOST))
                  .map(pod -> death(set, pod))
                  .toList()));
    return living.stream()
        .flatMap(pod -> PodState.availableAt(pod, minReady).stream())
        .filter(at -> at.isAfter(view.now))
        .min(Comparator.naturalOrder())
        .map(at -> new Settled().lookAgainAt(at))
        .orElseGet(Settled::new);
  }

  private static Optional<JsonNode> status(
      Workload set, List<Pod> living, Duration minReady, Instant now) {
    var labels = Json.texts(set.template().path("metadata").path("labels")).entrySet();
    var changes = JsonNodeFactory.instance.objectNode();
    put(changes, set, "observedGeneration", set.generation());
    put(changes, set, "replicas", living.size());
    put(
        changes,
        set,
        "fullyLabeledReplicas",
        living.stream().filter(pod -> pod.meta().labels().entrySet().containsAll(labels)).count());
    put(changes, set, "readyReplicas", living.stream().filter(PodState::isReady).count());
    put(
        changes,
        set,
        "availableReplicas",
        living.stream().filter(pod -> PodState.isAvailable(pod, minReady, now)).count());
    return changes.isEmpty()
        ? Optional.empty()
        : Optional.of(JsonNodeFactory.instance.objectNode().set("status", changes));
  }

  private static void put(ObjectNode changes, Workload set, String field, long value) {
    boolean there = set.status().path(field).isIntegralNumber();
    if (there ? set.status().path(field).asLong() != value : value != 0) changes.put(field, value);
  }

  /// Their names follow from the pods that there are: whoever has made some and died before he saw
  /// it makes the same ones, which are there, and not as many again.
  private static List<Birth> births(Workload set, List<Pod> pods, int count) {
    var seed =
        set.meta().uid()
            + "/"
            + set.generation()
            + pods.stream().map(pod -> pod.meta().uid()).sorted().collect(Collectors.joining("/"));
    var births = new ArrayList<Birth>(count);
    IntStream.range(0, count).forEach(number -> births.add(birth(set, seed + "/" + number)));
    return births;
  }

  private static Birth birth(Workload set, String seed) {
    var name = set.meta().name();
    var prefix = (name.length() > LONGEST_PREFIX ? name.substring(0, LONGEST_PREFIX) : name) + "-";
    var key = ObjectKey.of(set.meta().namespace(), prefix + Texts.word(seed));
    var pod = PodForm.of(set.template(), set, key);
    pod.withObject("/metadata").put("generateName", prefix);
    return new Birth(
        Resources.PODS,
        pod,
        Optional.of(
            Notice.normal(set.ref(), Reasons.SUCCESSFUL_CREATE, "Created pod: " + key.name())),
        Optional.of(Notice.warning(set.ref(), Reasons.FAILED_CREATE, "Error creating: ")));
  }

  private static Death death(Workload set, Pod pod) {
    return new Death(
        pod.ref(),
        Optional.of(
            Notice.normal(
                set.ref(), Reasons.SUCCESSFUL_DELETE, "Deleted pod: " + pod.meta().name())),
        Optional.of(Notice.warning(set.ref(), Reasons.FAILED_DELETE, "Error deleting: ")));
  }

  /// Who has done least goes first: without a node, not running, not ready, cheap by its own
  /// annotation, ready or made last.
  private static Comparator<Pod> expendable() {
    return Comparator.comparing((Pod pod) -> !pod.nodeName().isEmpty())
        .thenComparing(pod -> pod.phase() == Pod.Phase.RUNNING)
        .thenComparing(PodState::isReady)
        .thenComparing(ReplicaKeeper::cost)
        .thenComparing(
            pod -> PodState.readySince(pod).orElse(Instant.EPOCH), Comparator.reverseOrder())
        .thenComparing(pod -> pod.meta().created(), Comparator.reverseOrder())
        .thenComparing(pod -> pod.meta().name());
  }

  private static int cost(Pod pod) {
    var cost = pod.meta().annotation("controller.kubernetes.io/pod-deletion-cost").orElse("0");
    return cost.matches("-?[0-9]{1,9}") ? Integer.parseInt(cost) : 0;
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Workload.REPLICA_SET);
  }
}

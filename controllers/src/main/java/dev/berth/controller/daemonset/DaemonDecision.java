package dev.berth.controller.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.History;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The next step of one DaemonSet.
final class DaemonDecision {
  /// How long a pod that fails at once is left there, so that nothing turns in circles.
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Workload set;
  private final Snapshot objects;
  private final Instant now;
  private final History history;
  private final DaemonPods forms;
  private final Map<String, List<Pod>> byNode;
  private final Map<String, Node> nodes = new TreeMap<>();

  DaemonDecision(Workload set, Snapshot objects, Instant now) {
    this.set = set;
    this.objects = objects;
    this.now = now;
    this.history = History.of(set, objects);
    this.forms = new DaemonPods(set);
    this.byNode =
        Owned.pods(objects, set).stream()
            .sorted(Comparator.comparing((Pod pod) -> pod.meta().created()))
            .collect(Collectors.groupingBy(DaemonPods::node, TreeMap::new, Collectors.toList()));
    for (var node : objects.all(Kinds.NODE)) nodes.put(node.meta().name(), node);
  }

  Step step() {
    var first =
        Owned.correction(objects, set, pod -> !DaemonPods.node(pod).isEmpty()).or(history::missing);
    if (first.isPresent()) return new Act(first.get());
    var status = status();
    if (status.isPresent())
      return new Act(
          new Change(set.resource(), Revision.of(set.meta()), status.get(), Change.Part.STATUS));
    var surplus = surplus();
    if (!surplus.isEmpty()) return new Act(new Remove(surplus));
    var births = births();
    if (!births.isEmpty()) return new Act(new Make(births));
    return rolled().or(() -> history.forget(needed()).map(Act::new)).orElseGet(this::later);
  }

  private Step later() {
    var times = new ArrayList<Instant>();
    for (var pods : byNode.values())
      for (var pod : pods) {
        if (pod.finished()) times.add(pod.meta().created().plus(PAUSE));
        PodState.availableAt(pod, minReady()).ifPresent(times::add);
      }
    return times.stream()
        .filter(now::isBefore)
        .min(Comparator.naturalOrder())
        .map(at -> new Settled().lookAgainAt(at))
        .orElseGet(Settled::new);
  }

  private Duration minReady() {
    return Duration.ofSeconds(set.spec().path("minReadySeconds").asLong());
  }

  private List<Pod> on(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  private static Optional<Pod> living(List<Pod> pods) {
    return pods.stream().filter(pod -> !pod.meta().deleting() && !pod.finished()).findFirst();
  }

  /// Pods that have ended, that are one too many on their node, or whose node is not for them.
  private List<Death> surplus() {
    var deaths = new ArrayList<Death>();
    byNode.forEach((name, pods) -> {
      var node = Optional.ofNullable(nodes.get(name));
      var kept = node.filter(forms::stays).flatMap(_ -> living(pods));
      for (var pod : pods) {
        if (pod.meta().deleting() || kept.filter(pod::equals).isPresent()) continue;
        boolean early = pod.finished() && now.isBefore(pod.meta().created().plus(PAUSE));
        if (!early) deaths.add(forms.death(pod));
      }
    });
    return deaths;
  }

  private List<Birth> births() {
    var births = new ArrayList<Birth>();
    for (var node : nodes.values()) {
      var name = node.meta().name();
      if (node.meta().deleting() || !on(name).isEmpty() || !forms.comes(node)) continue;
      births.add(forms.birth(name, history.update(), seed(node)));
    }
    return births;
  }

  /// One that comes back to a node is called otherwise, as far as that is seen.
  private String seed(Node node) {
    return node.meta().uid() + "/" + history.update().meta().name() + "/" + set.generation();
  }

  /// Pods of another template go, no more at once than may be missing.
  private Optional<Step> rolled() {
    var strategy = set.spec().path("updateStrategy");
    if (Json.text(strategy, "type").equals("OnDelete")) return Optional.empty();
    var old = old();
    if (old.isEmpty()) return Optional.empty();
    var rolling = strategy.path("rollingUpdate");
    if (isSome(rolling.path("maxSurge")))
      return Optional.of(
          Settled.but(
              Notice.warning(
                  set.ref(),
                  Reasons.UNSUPPORTED,
                  "spec.updateStrategy.rollingUpdate.maxSurge is not supported here: nothing is"
                      + " rolled out; say maxUnavailable instead")));
    int desired = (int) nodes.values().stream().filter(forms::comes).count();
    int spare = part(rolling.path("maxUnavailable"), desired) - missing();
    // What is of no use yet goes first, and costs nothing.
    var going = new ArrayList<Pod>();
    for (var pod : old) if (!isAvailable(pod)) going.add(pod);
    for (var pod : old) if (isAvailable(pod) && spare-- > 0) going.add(pod);
    return going.isEmpty()
        ? Optional.empty()
        : Optional.of(new Act(new Remove(going.stream().map(forms::death).toList())));
  }

  private List<Pod> old() {
    var hash = DaemonPods.hash(history.update());
    return byNode.values().stream()
        .flatMap(pods -> living(pods).stream())
        .filter(pod -> !hash.equals(pod.meta().labels().get(Labels.REVISION_HASH)))
        .toList();
  }

  private boolean isAvailable(Pod pod) {
    return PodState.isAvailable(pod, minReady(), now);
  }

  /// On how many of its nodes no pod is available.
  private int missing() {
    return (int)
        nodes.values().stream()
            .filter(forms::comes)
            .filter(node -> living(on(node.meta().name())).filter(this::isAvailable).isEmpty())
            .count();
  }

  private static boolean isSome(JsonNode share) {
    return share.isIntegralNumber()
        ? share.asInt() > 0
        : share.isTextual() && !share.asText().matches("0+%");
  }

  private static int part(JsonNode share, int all) {
    if (share.isIntegralNumber()) return share.asInt();
    if (!share.isTextual()) return 1;
    int percent = Integer.parseInt(share.asText().replaceFirst("%$", ""));
    return Math.ceilDiv(percent * all, 100);
  }

  private HashSet<String> needed() {
    var hashes =
        byNode.values().stream()
            .flatMap(List::stream)
            .map(pod -> pod.meta().labels().getOrDefault(Labels.REVISION_HASH, ""))
            .collect(Collectors.toSet());
    var needed = new HashSet<String>();
    needed.add(history.update().meta().name());
    for (var record : history.records())
      if (hashes.contains(DaemonPods.hash(record))) needed.add(record.meta().name());
    return needed;
  }

  private Optional<JsonNode> status() {
    var hash = DaemonPods.hash(history.update());
    long desired = 0;
    long current = 0;
    long misplaced = 0;
    long ready = 0;
    long available = 0;
    long updated = 0;
    for (var node : nodes.values()) {
      var pod = living(on(node.meta().name()));
      if (!forms.comes(node)) {
        if (pod.isPresent()) misplaced++;
        continue;
      }
      desired++;
      if (pod.isEmpty()) continue;
      current++;
      if (PodState.isReady(pod.get())) ready++;
      if (isAvailable(pod.get())) available++;
      if (hash.equals(pod.get().meta().labels().get(Labels.REVISION_HASH))) updated++;
    }
    var changes = JsonNodeFactory.instance.objectNode();
    put(changes, "observedGeneration", set.generation());
    put(changes, "desiredNumberScheduled", desired);
    put(changes, "currentNumberScheduled", current);
    put(changes, "numberMisscheduled", misplaced);
    put(changes, "numberReady", ready);
    put(changes, "numberAvailable", available);
    put(changes, "numberUnavailable", desired - available);
    put(changes, "updatedNumberScheduled", updated);
    put(changes, "collisionCount", history.collisions());
    return changes.isEmpty()
        ? Optional.empty()
        : Optional.of(JsonNodeFactory.instance.objectNode().set("status", changes));
  }

  private void put(ObjectNode changes, String field, long value) {
    boolean there = set.status().path(field).isIntegralNumber();
    if (there ? set.status().path(field).asLong() != value : value != 0) changes.put(field, value);
  }
}

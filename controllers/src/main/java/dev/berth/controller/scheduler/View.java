package dev.berth.controller.scheduler;

import dev.berth.controller.VolumeMatch;
import dev.berth.controller.scheduler.Assumed.Placed;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What the scheduler sees.
///
/// @param assumed pods that have a place already and the objects do not show it yet, by node
/// @param gone placed pods that it looks past, as if they had gone with their volumes
/// @param pins pods that have their place because a volume is being made there
/// @param kept what it remembers of them
/// @param own the place that is kept for whoever looks [#beside] the others
record View(
    Snapshot objects,
    Instant now,
    Map<String, List<Pod>> assumed,
    List<Pod> gone,
    Pins pins,
    Assumed kept,
    Optional<Placed> own) {
  View(Snapshot objects, Instant now, Assumed kept) {
    this(objects, now, kept.byNode(), List.of(), Pins.all(objects), kept, Optional.empty());
  }

  private static final String WAITING = "waiting";
  private static final String DISLIKED = "disliked";

  private static final Index<Pod> LIVE_PODS_BY_NODE =
      new Index<>(
          Kinds.POD,
          "node, while they live",
          pod -> pod.nodeName().isEmpty() || pod.finished() ? List.of() : List.of(pod.nodeName()));

  private static final Index<Node> DISLIKEABLE =
      new Index<>(
          Kinds.NODE,
          "with taints that keep no pod away",
          node -> NodeRules.dislikeable(node) ? List.of(DISLIKED) : List.of());

  private static final Index<Pod> PODS_WITHOUT_NODE =
      new Index<>(
          Kinds.POD, "without a node", pod -> withoutNode(pod) ? List.of(WAITING) : List.of());

  private static final Index<Pod> NOMINATED =
      new Index<>(
          Kinds.POD,
          "without a node, and room is being made for them",
          pod ->
              withoutNode(pod) && !Preemption.nominatedNode(pod).isEmpty()
                  ? List.of(WAITING)
                  : List.of());

  private static final Index<StorageCapacity> CAPACITIES_BY_CLASS =
      new Index<>(Kinds.STORAGE_CAPACITY, "class", capacity -> List.of(capacity.className()));

  private static final Index<StorageCapacity> CAPACITIES_BY_PLACE =
      new Index<>(
          Kinds.STORAGE_CAPACITY,
          "class and one label of its nodes, or none",
          capacity ->
              capacity.topology().stream()
                  .map(topology -> place(capacity.className(), Narrowing.label(topology)))
                  .toList());

  /// Beside the others only: what was once assumed of a pod does not keep it from its place. Pods
  /// for which room is being made count as if they had it, for pods of no higher priority.
  View beside(ObjectKey pod) {
    var nominated = objects.by(NOMINATED, WAITING);
    var looking = pod(pod).found();
    var others = new TreeMap<String, List<Pod>>();
    var own = Optional.ofNullable(kept.placed().get(pod));
    var counted = new HashSet<ObjectKey>(Set.of(pod));
    long priority = looking.map(Preemption::priority).orElse(0L);
    assumed.forEach((node, pods) -> {
      var some =
          pods.stream()
              .filter(other -> !other.meta().key().equals(pod))
              .filter(other -> Preemption.priority(other) >= priority || !awaitsVolume(other, node))
              .toList();
      some.forEach(other -> counted.add(other.meta().key()));
      if (!some.isEmpty()) others.put(node, some);
    });
    for (var other : nominated)
      if (Preemption.priority(other) >= priority && counted.add(other.meta().key()))
        others.merge(Preemption.nominatedNode(other), List.of(other), View::both);
    var pinned = new Pins(objects, counted, looking, own.map(Placed::node));
    return new View(objects, now, others, gone, pinned, kept, own);
  }

  /// Whether its place is kept for no more than a volume that is being made: one of higher priority
  /// may have it.
  private boolean awaitsVolume(Pod pod, String node) {
    return Pins.shows(new Placed(pod, node, now), objects);
  }

  private static List<Pod> both(List<Pod> some, List<Pod> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /// As it would be without these.
  View without(List<Pod> victims) {
    return new View(objects, now, assumed, victims, pins, kept, own);
  }

  private boolean isGone(Pod pod) {
    return gone.stream().anyMatch(it -> it.meta().uid().equals(pod.meta().uid()));
  }

  /// Whether an attachment would go with the pods that it looks past.
  private boolean isGone(Attachment attachment) {
    if (gone.isEmpty()) return false;
    var users =
        volume(attachment.volumeName()).found().stream()
            .flatMap(new Users(objects)::of)
            .filter(pod -> pod.nodeName().equals(attachment.nodeName()) && !pod.finished())
            .toList();
    return !users.isEmpty() && users.stream().allMatch(this::isGone);
  }

  Lookup<Pod> pod(ObjectKey key) {
    return objects.get(Kinds.POD, key);
  }

  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  int nodeCount() {
    return objects.all(Kinds.NODE).size();
  }

  /// Every node, in order of their names.
  Stream<Host> hosts() {
    return objects.all(Host.ALL).stream()
        .filter(host -> host.node().isPresent())
        .map(this::withOthers);
  }

  /// Every node of which the objects show how it ranks, whatever the pod: those with few pods
  /// first; of those with as many, once round from a place of the pod's own. Read lazily.
  Stream<Host> byLoad(Pod pod) {
    var rows = objects.ranked(Host.ALL, Host.place(pod.meta().uid()));
    return StreamSupport.stream(rows.spliterator(), false)
        .filter(host -> assumedOn(host.name()).isEmpty())
        .map(this::withOthers);
  }

  /// All other nodes: pods may dislike them, or are assumed on them.
  Stream<Host> exceptions() {
    var disliked = objects.by(DISLIKEABLE, DISLIKED).stream().map(node -> node.meta().name());
    var taken = assumed.keySet().stream().filter(node -> !assumedOn(node).isEmpty());
    return Stream.concat(disliked, taken).distinct().flatMap(node -> host(node).stream());
  }

  Optional<Host> host(String node) {
    return Optional.of(objects.summary(Host.ALL, node))
        .filter(host -> host.node().isPresent())
        .map(this::withOthers);
  }

  private Host withOthers(Host host) {
    var next = withAssumed(host);
    for (var pod : pins.on(next)) next = next.with(1, pod);
    return next;
  }

  private Host withAssumed(Host host) {
    if (assumed.isEmpty() && gone.isEmpty()) return host;
    var next = host;
    for (var pod : gone) if (pod.nodeName().equals(host.name())) next = next.with(-1, pod);
    if (!gone.isEmpty())
      for (var attachment : objects.by(Indexes.ATTACHMENTS_BY_NODE, host.name()))
        if (isGone(attachment)) next = next.with(-1, attachment);
    for (var pod : assumedOn(host.name())) next = next.with(1, pod);
    return next;
  }

  Optional<CsiDriver> driver(String name) {
    return objects.get(Kinds.CSI_DRIVER, ObjectKey.cluster(name)).found();
  }

  Collection<Node> nodesLabelled(String key, String value) {
    return objects.by(Indexes.NODES_BY_LABEL, label(key, value));
  }

  static String label(String key, String value) {
    return Indexes.label(key, value);
  }

  /// Whether the driver runs on any node at all.
  boolean registeredAnywhere(String driver) {
    return !objects.by(Indexes.CSI_NODES_BY_DRIVER, driver).isEmpty();
  }

  Optional<StorageClass> storageClass(Claim claim) {
    return claim
        .className()
        .filter(name -> !name.isEmpty())
        .flatMap(name -> objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).found());
  }

  Collection<StorageCapacity> capacities(StorageClass storageClass) {
    return objects.by(CAPACITIES_BY_CLASS, storageClass.meta().name());
  }

  /// Those that the node reaches.
  Stream<StorageCapacity> capacities(StorageClass storageClass, Node node) {
    var className = storageClass.meta().name();
    var labels = node.meta().labels();
    var places =
        labels.entrySet().stream()
            .map(label -> place(className, Optional.of(label(label.getKey(), label.getValue()))));
    return Stream.concat(Stream.of(place(className, Optional.empty())), places)
        .flatMap(place -> objects.by(CAPACITIES_BY_PLACE, place).stream())
        .filter(capacity -> capacity.topology().orElseThrow().matches(labels));
  }

  private static String place(String className, Optional<String> label) {
    return className + ' ' + label.orElse("");
  }

  /// Pods on the node that have not ended, and those that have their place there.
  List<Pod> podsOn(String node) {
    return Stream.of(objects.by(LIVE_PODS_BY_NODE, node), assumedOn(node), pinnedTo(node))
        .flatMap(Collection::stream)
        .filter(pod -> !isGone(pod))
        .toList();
  }

  private List<Pod> pinnedTo(String node) {
    var host = objects.summary(Host.ALL, node);
    return host.node().isPresent() ? pins.on(withAssumed(host)) : List.of();
  }

  private List<Pod> assumedOn(String node) {
    return assumed.getOrDefault(node, List.of());
  }

  /// From the pod to its volumes.
  Ways ways() {
    return new Ways(objects, Translation.NONE);
  }

  /// The ways of those of the pod's claims that exist and are its to use (EPH-04).
  Stream<Way.Claimed> usable(Pod pod) {
    return ways()
        .ofClaims(pod)
        .filter(way -> !(way instanceof Way.Foreign))
        .flatMap(way -> way instanceof Way.Claimed it ? Stream.of(it) : Stream.empty());
  }

  /// What a driver calls the volume; empty: no CSI driver serves it.
  Optional<CsiSource> source(Volume volume) {
    return Translation.NONE.source(volume);
  }

  /// Placed pods that use the claim and have not ended.
  List<Pod> placedUsers(Claim claim) {
    return Stream.concat(
            new Users(objects)
                .of(claim)
                .filter(pod -> !pod.nodeName().isEmpty() && !pod.finished()),
            assumed.values().stream()
                .flatMap(List::stream)
                .filter(pod -> PodClaim.uses(pod, claim)))
        .filter(pod -> !isGone(pod))
        .toList();
  }

  Collection<Attachment> attachmentsOn(String node) {
    var attachments = objects.by(Indexes.ATTACHMENTS_BY_NODE, node);
    return gone.isEmpty() ? attachments : attachments.stream().filter(it -> !isGone(it)).toList();
  }

  /// By whichever of its PersistentVolumes: two of one handle are one volume (AD-46).
  Stream<Attachment> attachmentsOf(Volume volume) {
    return Translation.NONE.name(volume).stream()
        .flatMap(name -> new Users(objects).volumes(name).stream())
        .flatMap(it -> objects.by(Indexes.ATTACHMENTS_BY_VOLUME, it.meta().name()).stream());
  }

  Optional<Volume> reserved(Claim claim) {
    return VolumeMatch.reserved(objects, claim);
  }

  boolean anyFree(Claim claim) {
    return VolumeMatch.anyFree(objects, claim);
  }

  Optional<Volume> smallestFree(Claim claim, Node node, Predicate<Volume> usable) {
    return VolumeMatch.smallestFree(objects, claim, node, usable);
  }

  /// Whether the pod still waits for a node.
  static boolean withoutNode(Pod pod) {
    return pod.nodeName().isEmpty() && !pod.finished() && !pod.meta().deleting();
  }

  /// Pods that have no node yet.
  static Collection<Pod> podsWithoutNode(Snapshot objects) {
    return objects.by(PODS_WITHOUT_NODE, WAITING);
  }
}

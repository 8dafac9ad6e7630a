package dev.berth.explain.voice;

import dev.berth.controller.eviction.TaintEviction;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.node.NodeDeciders;
import dev.berth.node.Presumption;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The agents of all nodes, Berth's and kubelets, asked about a pod.
final class NodeVoice {
  /// What Berth's agent and kubelets tell of volumes.
  private static final Set<String> MOUNTING =
      Set.of(Reasons.FAILED_MOUNT, "FailedMapVolume", Failures.PERMISSIONS);

  /// What kubelets tell of pods before there are containers whose status could say it.
  private static final Set<String> STARTING = Set.of("FailedCreatePodSandBox");

  private NodeVoice() {}

  /// Whether a node's agent lives at all, and what it does about volumes that are to leave it.
  static Voice aboutNodes() {
    return Voice.of("node agent", Failures.UNTOLD, NodeVoice::ofNode);
  }

  static Voice aboutVolumes() {
    return Attendance.ofAgent(
        Voice.of(
            "node agent",
            WrongFormat.told()
                .or(MissingData.named(Failures.inEvents(MOUNTING, Unmounted::isOver))),
            steps(NodeVoice::unmounted)));
  }

  static Voice aboutContainers() {
    return Attendance.ofAgent(
        Voice.of(
            "node agent",
            PodFailures.inStatus().or(MissingData.told()).or(Failures.inEvents(STARTING)),
            steps(NodeVoice::unstarted)));
  }

  // U02
  static Voice aboutReadiness() {
    return Voice.of(
        "node agent",
        Failures.UNTOLD,
        (ref, objects, now) ->
            Stream.concat(ofLeft(ref, objects, now), steps(Unready::of).of(ref, objects, now)));
  }

  /// A pod that ran when its node's agent fell silent, and is not ready for that.
  private static Stream<Step> ofLeft(Ref ref, Snapshot objects, Instant now) {
    return ref.as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> !pod.nodeName().isEmpty() && !pod.finished() && !pod.meta().deleting())
        .filter(pod -> !pod.ready())
        .flatMap(pod ->
            objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName())).found().stream()
                .flatMap(node ->
                    untilReports(node, objects, now)
                        .map(wait -> untilItLeaves(pod, node, wait, now).orElse(wait))
                        .stream()));
  }

  // T08
  private static Optional<Wait> untilItLeaves(Pod pod, Node node, Wait silent, Instant now) {
    return TaintEviction.leaves(pod, node, now)
        .filter(now::isBefore)
        .map(at ->
            Wait.on(pod.ref(), "spec.tolerations")
                .since(silent.since().orElse(pod.meta().created()))
                .until("%s, or the pod has to leave it at %s".formatted(silent.until(), at))
                .hint(silent.remedy().orElseThrow())
                .lookAgainAt(at));
  }

  private static Stream<Step> ofNode(Ref ref, Snapshot objects, Instant now) {
    if (ref.resource().equals(Resources.PODS))
      return objects.get(Kinds.POD, ref.key()).found().stream()
          .filter(NodeVoice::isLeft)
          .map(NodeVoice::untilLetGo);
    if (ref.resource().equals(Resources.CSI_NODES))
      return objects
          .get(Kinds.NODE, ObjectKey.cluster(ref.key().name()))
          .found()
          .flatMap(node -> untilReports(node, objects, now))
          .<Step>map(it -> it)
          .stream();
    if (!ref.resource().equals(Resources.NODES)) return Stream.empty();
    return objects.get(Kinds.NODE, ref.key()).found().stream()
        .flatMap(node ->
            untilReports(node, objects, now)
                .<Stream<Step>>map(Stream::of)
                .orElseGet(() -> leaving(node, objects, now)));
  }

  /// L13, L14: what is in use and wanted by no pod.
  private static Stream<Step> leaving(Node node, Snapshot objects, Instant now) {
    var name = node.meta().name();
    return unsettled(asked(NodeDeciders.of(name).volumes(), name, node.ref(), objects, now));
  }

  /// A pod of whose end its agent has told: it stays for its finalizers alone.
  private static boolean isLeft(Pod pod) {
    return pod.shutDown() && !pod.meta().finalizers().isEmpty();
  }

  // T05
  private static Wait untilLetGo(Pod pod) {
    var names = String.join(", ", pod.meta().finalizers());
    return Wait.on(pod.ref(), "metadata.finalizers")
        .since(pod.meta().deleted().orElseThrow())
        .until("its finalizers are taken off: " + names)
        .remedy(
            "see what has become of who has set them: he takes them off when he has done his part");
  }

  private interface OfPod {
    Stream<Step> of(Pod pod, Snapshot objects, Instant now);
  }

  /// An agent that does not live does nothing.
  private static Voice.Steps steps(OfPod steps) {
    return (ref, objects, now) ->
        !ref.resource().equals(Resources.PODS)
            ? Stream.empty()
            : objects.get(Kinds.POD, ref.key()).found().stream()
                .filter(pod -> !pod.nodeName().isEmpty() && !isLeft(pod))
                .flatMap(pod ->
                    steps
                        .of(pod, objects, now)
                        .map(step ->
                            untilAlive(pod, objects, now).<Step>map(it -> it).orElse(step)));
  }

  private static Stream<Step> unmounted(Pod pod, Snapshot objects, Instant now) {
    var node = pod.nodeName();
    return unsettled(asked(NodeDeciders.of(node).volumes(), node, pod.ref(), objects, now));
  }

  /// Volumes come before containers, and there the decision about the volume says more.
  private static Stream<Step> unstarted(Pod pod, Snapshot objects, Instant now) {
    return started(pod) || unmounted(pod, objects, now).findAny().isPresent()
        ? Stream.empty()
        : unsettled(
            asked(NodeDeciders.of(pod.nodeName()).pods(), pod.nodeName(), pod.ref(), objects, now));
  }

  /// Kubelets run some containers that this decision does not know.
  private static boolean started(Pod pod) {
    var statuses = pod.status().path("containerStatuses");
    var sidecars =
        Unready.sidecars(pod).map(it -> Json.text(it, "name")).collect(Collectors.toSet());
    return !pod.meta().deleting()
        && !statuses.isEmpty()
        && Stream.concat(
                statuses.valueStream(),
                pod.status()
                    .path("initContainerStatuses")
                    .valueStream()
                    .filter(it -> sidecars.contains(Json.text(it, "name"))))
            .noneMatch(it -> it.path("state").hasNonNull("waiting"));
  }

  /// What a decider of a node's agent comes to about an object.
  private static <K, V> Stream<Step> asked(
      Decider<K, V, ?> decider, String node, Ref subject, Snapshot objects, Instant now) {
    var view = decider.view(Presumption.of(node, objects), now);
    return decider.about(subject, objects).map(key -> decider.decide(view, key));
  }

  private static Stream<Step> unsettled(Stream<Step> steps) {
    return steps.filter(step -> !(step instanceof Settled));
  }

  // N01, T03, T06
  private static Optional<Wait> untilAlive(Pod pod, Snapshot objects, Instant now) {
    var name = pod.nodeName();
    return switch (objects.get(Kinds.NODE, ObjectKey.cluster(name))) {
      case Found<Node>(var node) ->
          untilReports(node, objects, now)
              .map(wait -> pod.meta().deleting() ? lost(pod, wait) : wait);
      case Missing<Node>(var ref) ->
          Optional.of(
              Wait.on(ref)
                  .since(pod.meta().created())
                  .until("node %s has joined".formatted(name))
                  .remedy(
                      "start an agent for node %s, or create the pod again for a node that exists"
                          .formatted(name)));
    };
  }

  /// A pod that is to go and whose node does not say that it has ended may still write (XPL-31).
  private static Wait lost(Pod pod, Wait wait) {
    return wait.danger(
        "make sure that node %s is switched off before the pod is removed by force: it may still write, and two writers destroy a file system"
            .formatted(pod.nodeName()),
        "bring node %s back; or, once it is off: kubectl taint node %s %s=nodeshutdown:NoExecute"
            .formatted(pod.nodeName(), pod.nodeName(), Labels.OUT_OF_SERVICE_TAINT));
  }

  /// Empty: as far as can be told from here, its agent lives.
  private static Optional<Wait> untilReports(Node node, Snapshot objects, Instant now) {
    var name = node.meta().name();
    if (!node.ready()) {
      var sentence = Wait.on(node.ref(), "status.conditions");
      return Optional.of(
          node.readySince()
              .map(sentence::since)
              .orElse(sentence)
              .until("the agent of node %s reports again that it is ready".formatted(name))
              .remedy("bring node %s back, and start its agent".formatted(name)));
    }
    return objects
        .get(Kinds.LEASE, LeaseNames.node(name))
        .found()
        .filter(lease -> lease.renewed().isPresent() && !lease.isHeld(now))
        .map(lease ->
            Wait.on(lease.ref(), "spec.renewTime")
                .since(lease.renewed().orElseThrow())
                .until(
                    "the agent of node %s renews its lease, which has run out: it seems to have stopped"
                        .formatted(name))
                .remedy("bring node %s back, and start its agent".formatted(name)));
  }
}

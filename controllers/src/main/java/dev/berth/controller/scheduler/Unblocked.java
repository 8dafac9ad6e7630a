package dev.berth.controller.scheduler;

import dev.berth.controller.VolumeMatch;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Pod.Condition;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which pods a change may unblock (SCHED-40). What a pod was refused for stands in its condition,
/// so that a change that helps against one reason does not wake pods that wait for another. A pod
/// without a condition needs no waking: it is looked at again after what is being done for it.
final class Unblocked {
  /// What a pod leaves to others when it goes.
  private static final String[] FREED_BY_PODS = {
    RoomRules.TOO_MANY_PODS,
    RoomRules.INSUFFICIENT,
    HostPorts.TAKEN,
    AttachLimit.EXCEEDED,
    InlineDisks.DISK_IN_USE,
    VolumeRules.CLAIM_IN_USE
  };

  private static final List<String> REASONS =
      List.of(
          RoomRules.TOO_MANY_PODS,
          RoomRules.INSUFFICIENT,
          HostPorts.TAKEN,
          AttachLimit.EXCEEDED,
          InlineDisks.DISK_IN_USE,
          VolumeRules.CLAIM_IN_USE,
          VolumeRules.NO_VOLUME_TO_BIND,
          VolumeRules.NO_FREE_STORAGE,
          VolumeRules.NOT_INSTALLED,
          PodRules.UNBOUND_CLAIM);

  private static final Index<Pod> PODS_BY_REFUSAL =
      new Index<>(
          Kinds.POD,
          "what they were refused for",
          pod ->
              View.withoutNode(pod)
                  ? pod.scheduled().stream()
                      .map(Condition::message)
                      .flatMap(message -> REASONS.stream().filter(message::contains))
                      .toList()
                  : List.of());

  private Unblocked() {}

  private static Stream<ObjectKey> all(Snapshot objects) {
    return View.podsWithoutNode(objects).stream().map(pod -> pod.meta().key());
  }

  /// Pods for which there was no room, or nothing left of what others have.
  private static Stream<ObjectKey> placeless(Snapshot objects) {
    return refusedFor(objects, FREED_BY_PODS);
  }

  /// Whether other pods are all that keeps one from a node.
  static boolean isFreedByPods(Refusal refusal) {
    return refusal.reasons().stream()
        .allMatch(reason -> Stream.of(FREED_BY_PODS).anyMatch(reason::startsWith));
  }

  /// Whoever waits for a volume of the class may get one now. A new default class is given to
  /// claims by others, whose changes are seen.
  static Stream<ObjectKey> byClass(Change<StorageClass> change, Snapshot objects) {
    return same(change, Unblocked::making)
        ? Stream.empty()
        : refusedFor(
            objects,
            AttachLimit.EXCEEDED,
            VolumeRules.NO_VOLUME_TO_BIND,
            VolumeRules.NO_FREE_STORAGE,
            VolumeRules.NOT_INSTALLED,
            PodRules.UNBOUND_CLAIM);
  }

  /// A driver that is registered, or takes more volumes.
  static Stream<ObjectKey> byCsiNode(Change<CsiNode> change, Snapshot objects) {
    return same(change, CsiNode::drivers)
        ? Stream.empty()
        : refusedFor(objects, AttachLimit.EXCEEDED, VolumeRules.NOT_INSTALLED);
  }

  /// A driver that reports no room any more is not asked for it, and one that is gone not missed.
  static Stream<ObjectKey> byDriver(Change<CsiDriver> change, Snapshot objects) {
    return same(change, CsiDriver::storageCapacity)
        ? Stream.empty()
        : refusedFor(objects, VolumeRules.NO_FREE_STORAGE, VolumeRules.NOT_INSTALLED);
  }

  /// A placed pod that goes or ends frees its place, its volumes' places and its claims; so does
  /// one for which a place was kept, also if the place is kept no longer, or it gets another.
  static Stream<ObjectKey> byPod(Change<Pod> change, Facts objects) {
    var before = change.before();
    if (before.isEmpty()) return Stream.empty();
    boolean placed = !before.get().nodeName().isEmpty();
    boolean frees =
        placed
            ? change.after().filter(pod -> !pod.finished()).isEmpty()
            : frees(before.get(), change.after(), objects);
    return frees ? placeless(objects) : Stream.empty();
  }

  /// Whether a pod that had no node leaves what was kept for it.
  private static boolean frees(Pod before, Optional<Pod> after, Facts objects) {
    var nominated = Preemption.nominatedNode(before);
    boolean kept =
        !nominated.isEmpty()
            || objects.of(Assumed.TOPIC).of(before).isPresent()
            || !PodClaim.of(before).isEmpty();
    if (!kept) return false;
    var still = after.filter(pod -> !pod.finished() && !pod.meta().deleting());
    if (still.isEmpty()) return true;
    var node = still.get().nodeName();
    var keeps = node.isEmpty() ? Preemption.nominatedNode(still.get()) : node;
    boolean elsewhere =
        !node.isEmpty()
            && objects
                .of(Assumed.TOPIC)
                .of(before)
                .filter(it -> !it.node().equals(node))
                .isPresent();
    return elsewhere || (!nominated.isEmpty() && !nominated.equals(keeps));
  }

  /// A pod that did not get its place after all leaves it to others.
  static Stream<ObjectKey> byAssumption(News<Assumed> news, Snapshot objects) {
    return news.before().givenBack(news.after(), objects).findAny().isPresent()
        ? placeless(objects)
        : Stream.empty();
  }

  /// Also others than its pods, if these have no place any more where it was to be made.
  static Stream<ObjectKey> byClaim(Change<Claim> change, Snapshot objects) {
    var node = change.before().filter(it -> !it.fullyBound()).flatMap(Claim::selectedNode);
    boolean unpinned =
        node.isPresent() && !change.after().flatMap(Claim::selectedNode).equals(node);
    var users = users(change.latest().meta().key(), objects);
    return unpinned ? Stream.concat(users, placeless(objects)).distinct() : users;
  }

  static Stream<ObjectKey> byVolume(Change<Volume> change, Snapshot objects) {
    var reservedFor =
        Stream.of(change.before(), change.after())
            .flatMap(Optional::stream)
            .flatMap(volume -> volume.claim().stream())
            .flatMap(claim -> users(claim.key(), objects));
    var bound =
        objects.by(Indexes.CLAIMS_BY_VOLUME, change.latest().meta().name()).stream()
            .flatMap(claim -> users(claim.meta().key(), objects));
    var seeking =
        change.after().filter(VolumeMatch::free).isPresent()
            ? refusedFor(objects, VolumeRules.NO_VOLUME_TO_BIND)
            : Stream.<ObjectKey>empty();
    return Stream.of(reservedFor, bound, seeking).flatMap(keys -> keys).distinct();
  }

  /// What nodes report all the time, such as volumes in use, unblocks nobody.
  static Stream<ObjectKey> byNode(Change<Node> change, Snapshot objects) {
    return same(change, Unblocked::placing) ? Stream.empty() : all(objects);
  }

  static Stream<ObjectKey> byCapacity(Change<StorageCapacity> change, Snapshot objects) {
    return refusedFor(objects, VolumeRules.NO_FREE_STORAGE);
  }

  static Stream<ObjectKey> byAttachment(Change<Attachment> change, Snapshot objects) {
    return change.after().isEmpty() ? refusedFor(objects, AttachLimit.EXCEEDED) : Stream.empty();
  }

  private static <T extends KubeObject> boolean same(Change<T> change, Function<T, ?> what) {
    return change.before().map(what).equals(change.after().map(what));
  }

  private static List<Object> making(StorageClass storageClass) {
    return List.of(
        storageClass.provisioner(), storageClass.bindingMode(), storageClass.allowedTopologies());
  }

  private static List<Object> placing(Node node) {
    return List.of(
        node.meta().labels(),
        node.taints(),
        node.unschedulable(),
        node.ready(),
        node.allocatable());
  }

  private static Stream<ObjectKey> users(ObjectKey claim, Snapshot objects) {
    return objects.by(Indexes.PODS_BY_CLAIM, claim.toString()).stream()
        .filter(pod -> pod.nodeName().isEmpty())
        .map(pod -> pod.meta().key());
  }

  private static Stream<ObjectKey> refusedFor(Snapshot objects, String... reasons) {
    return Stream.of(reasons)
        .flatMap(reason -> objects.by(PODS_BY_REFUSAL, reason).stream())
        .map(pod -> pod.meta().key())
        .distinct();
  }
}

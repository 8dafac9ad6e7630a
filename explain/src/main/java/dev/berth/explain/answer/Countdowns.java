package dev.berth.explain.answer;

import dev.berth.controller.eviction.TaintEviction;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Times that run out and that no object waits for (XPL-07): until a pod has to leave its node
/// (T08), and how far the clock can be told that a controller keeps in its memory (X12).
final class Countdowns {
  /// How long kube-controller-manager waits for a dead node before it takes volumes off (AD-32).
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private Countdowns() {}

  static Stream<Note> about(Ref subject, Snapshot objects, Instant now) {
    return Stream.concat(
        subject
            .as(Kinds.POD)
            .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
            .flatMap(pod -> leaves(pod, objects, now).stream()),
        subject
            .as(Kinds.ATTACHMENT)
            .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
            .flatMap(attachment -> counts(attachment, objects).stream()));
  }

  // T08
  private static Optional<Note> leaves(Pod pod, Snapshot objects, Instant now) {
    if (pod.nodeName().isEmpty() || pod.finished() || pod.meta().deleting())
      return Optional.empty();
    var node = objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName())).found();
    return node.flatMap(it -> TaintEviction.leaves(pod, it, now))
        .map(at ->
            new Note(
                "T08",
                "it has to leave node %s %s: %s"
                    .formatted(
                        pod.nodeName(),
                        at.isAfter(now) ? "at " + at : "now",
                        taints(node.orElseThrow()))));
  }

  private static String taints(Node node) {
    return node.taints().stream()
        .filter(taint -> taint.effect().equals("NoExecute"))
        .map(taint -> "taint " + taint.key())
        .collect(Collectors.joining(", "));
  }

  /// X12: kube-controller-manager begins anew where it is started anew; Berth notes when it began.
  private static Optional<Note> counts(Attachment attachment, Snapshot objects) {
    if (attachment.meta().deleting()
        || attachment.meta().hasAnnotation(Annotations.DETACH_REQUESTED_AT)
        || !isHeld(attachment, objects)) return Optional.empty();
    var lost = lost(attachment, objects);
    return lost.flatMap(since ->
        started(objects)
            .filter(since::isBefore)
            .map(started ->
                new Note(
                    "X12",
                    "kube-controller-manager has begun at %s, after node %s was lost, and counts its %d minutes from then, or from when no pod used the volume there; who begins anew counts anew"
                        .formatted(started, attachment.nodeName(), PATIENCE.toMinutes()))));
  }

  /// Whether its node is said to have it mounted, and no pod uses it there.
  private static boolean isHeld(Attachment attachment, Snapshot objects) {
    var volume = objects.get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName())).found();
    var node = objects.get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName())).found();
    return volume
            .flatMap(Translation.NONE::name)
            .filter(
                name -> node.filter(it -> it.volumesInUse().contains(name.toString())).isPresent())
            .isPresent()
        && new Users(objects)
            .of(volume.orElseThrow())
            .noneMatch(pod -> pod.nodeName().equals(attachment.nodeName()) && !pod.finished());
  }

  private static Optional<Instant> lost(Attachment attachment, Snapshot objects) {
    return objects
        .get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName()))
        .found()
        .filter(node -> !node.ready())
        .flatMap(Node::readySince);
  }

  private static Optional<Instant> started(Snapshot objects) {
    return objects.all(Kinds.LEASE).stream()
        .filter(lease -> lease.meta().name().equals(LeaseNames.CONTROLLER_MANAGER))
        .flatMap(lease -> lease.acquired().stream())
        .max(Instant::compareTo);
  }
}

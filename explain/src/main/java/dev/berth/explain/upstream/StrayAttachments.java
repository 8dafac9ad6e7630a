package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// An attachment that no pod needs any more and that nobody takes away: kube-controller-manager
/// cannot read its volume's name (X10), or its node is not its business (X09).
final class StrayAttachments {
  private static final String CHECK =
      "make sure that nothing is mounted there: on node %s, findmnt | grep kubernetes.io~csi; two"
          + " writers destroy a file system";

  private StrayAttachments() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.ATTACHMENT)
        .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
        .filter(attachment -> !attachment.meta().deleting())
        .flatMap(attachment -> step(attachment, objects).stream());
  }

  private static Optional<Step> step(Attachment attachment, Snapshot objects) {
    var node = objects.get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName())).found();
    var volume = objects.get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName())).found();
    var source = volume.flatMap(Translation.NONE::source);
    if (node.isEmpty() || source.isEmpty()) return Optional.empty();
    var name = VolumeName.of(source.get());
    if (node.get().volumesInUse().contains(name.toString())
        || users(attachment, volume.get(), objects)) return Optional.empty();
    if (name.handle().contains("^")
        && !attachment.meta().hasAnnotation(Annotations.DETACH_REQUESTED_AT))
      return Optional.of(untilNamed(attachment));
    return node.filter(it -> !it.managed()).map(it -> untilDeleted(attachment, it));
  }

  private static boolean users(Attachment attachment, Volume volume, Snapshot objects) {
    return new Users(objects)
        .of(volume)
        .filter(pod -> pod.nodeName().equals(attachment.nodeName()))
        .anyMatch(pod -> !pod.finished());
  }

  // X10
  private static Step untilNamed(Attachment attachment) {
    return Wait.on(attachment.ref(), "spec.source")
        .since(attachment.meta().created())
        .until(
            "it is deleted by hand: its volume's handle contains \"^\", which"
                + " kube-controller-manager takes for the end of the driver's name")
        .remedy(
            CHECK.formatted(attachment.nodeName()) + "; then " + Commands.delete(attachment.ref()));
  }

  // X09
  private static Step untilDeleted(Attachment attachment, Node node) {
    return Wait.on(
            node.ref(), "metadata.annotations[%s]".formatted(Annotations.CONTROLLER_MANAGED_ATTACH))
        .since(attachment.meta().created())
        .until(
            "%s, which no pod needs, is deleted: no controller takes volumes off node %s, whose agent does that itself"
                .formatted(attachment.ref(), node.meta().name()))
        .remedy(
            CHECK.formatted(node.meta().name()) + "; then " + Commands.delete(attachment.ref()));
  }
}

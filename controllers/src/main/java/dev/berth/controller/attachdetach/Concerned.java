package dev.berth.controller.attachdetach;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which volumes, and which pods, a change of an object concerns.
final class Concerned {
  private Concerned() {}

  /// A pod that is not placed concerns no volume.
  static Stream<VolumeName> byPod(Change<Pod> change, Snapshot objects) {
    return sides(change)
        .filter(pod -> !pod.nodeName().isEmpty())
        .flatMap(pod -> volumes(pod, objects))
        .distinct();
  }

  static Stream<VolumeName> byClaim(Change<Claim> change, Snapshot objects) {
    return volumes(change.latest().meta().key(), objects);
  }

  static Stream<VolumeName> byVolume(Change<Volume> change, Snapshot objects) {
    return sides(change).flatMap(Concerned::name).distinct();
  }

  static Stream<VolumeName> byAttachment(Change<Attachment> change, Snapshot objects) {
    return names(change.latest(), objects);
  }

  private static Stream<VolumeName> names(Attachment attachment, Snapshot objects) {
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName()))
        .found()
        .map(Concerned::name)
        .orElseGet(() -> byName(attachment, objects));
  }

  /// An attachment's name is a digest of the volume's; where the volume is gone, what the node
  /// lists is tried, and whether the volume is there under another name (AD-46).
  private static Stream<VolumeName> byName(Attachment attachment, Snapshot objects) {
    var listed =
        objects.get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName())).found().stream()
            .flatMap(node ->
                Stream.concat(node.volumesAttached().stream(), node.volumesInUse().stream()))
            .flatMap(name -> VolumeName.parse(name).stream());
    return Stream.concat(
            listed.filter(name -> isOf(attachment, name)), volumes(attachment, objects))
        .distinct();
  }

  /// The volume that the attachment is of, if it is there under whichever name. The attacher notes
  /// its handle; of attachments without the note all volumes of the driver are tried.
  static Stream<VolumeName> volumes(Attachment attachment, Snapshot objects) {
    var noted =
        attachment
            .meta()
            .annotation(Annotations.ATTACHMENT_HANDLE)
            .map(handle -> new VolumeName(attachment.attacher(), handle))
            .filter(name -> isOf(attachment, name));
    if (noted.isPresent())
      return noted.filter(name -> !new Users(objects).volumes(name).isEmpty()).stream();
    return objects.by(Indexes.VOLUMES_BY_DRIVER, attachment.attacher()).stream()
        .flatMap(Concerned::name)
        .filter(name -> isOf(attachment, name));
  }

  private static boolean isOf(Attachment attachment, VolumeName name) {
    return name.attachment(attachment.nodeName()).equals(attachment.meta().name());
  }

  /// The volumes that came to or went from the node's lists; all of its volumes if the node itself
  /// came, went, or changed in what decides over forced detaching.
  static Stream<VolumeName> byNode(Change<Node> change, Snapshot objects) {
    var listed =
        Stream.concat(
            difference(change, Node::volumesAttached), difference(change, Node::volumesInUse));
    var names = listed.flatMap(name -> VolumeName.parse(name).stream());
    var sameState =
        change.before().map(Concerned::state).equals(change.after().map(Concerned::state));
    return (sameState ? names : Stream.concat(names, all(change.latest().meta().name(), objects)))
        .distinct();
  }

  /// Attachments that name a volume that went.
  static Stream<ObjectKey> orphans(Change<Volume> change, Snapshot objects) {
    return change.after().isPresent()
        ? Stream.empty()
        : keys(objects.by(Indexes.ATTACHMENTS_BY_VOLUME, change.latest().meta().name()));
  }

  /// Attachments to a node that came, went, or lists other volumes than before.
  static Stream<ObjectKey> listedBy(Change<Node> change, Snapshot objects) {
    boolean same =
        change.before().isPresent() == change.after().isPresent()
            && difference(change, Node::volumesAttached).findAny().isEmpty()
            && difference(change, Node::volumesInUse).findAny().isEmpty();
    return same
        ? Stream.empty()
        : keys(objects.by(Indexes.ATTACHMENTS_BY_NODE, change.latest().meta().name()));
  }

  private static Stream<ObjectKey> keys(Collection<Attachment> attachments) {
    return attachments.stream().map(attachment -> attachment.meta().key());
  }

  static Stream<VolumeName> byDriver(Change<CsiDriver> change, Snapshot objects) {
    var driver = change.latest().meta().name();
    boolean same =
        change
            .before()
            .map(CsiDriver::attachRequired)
            .equals(change.after().map(CsiDriver::attachRequired));
    return same
        ? Stream.empty()
        : objects.by(Indexes.VOLUMES_BY_DRIVER, driver).stream().flatMap(Concerned::name);
  }

  static Stream<ObjectKey> pods(Change<Claim> change, Snapshot objects) {
    return pods(change.latest().meta().key(), objects);
  }

  /// Pods that use one of the volumes.
  static Stream<ObjectKey> users(Stream<VolumeName> names, Snapshot objects) {
    return names
        .flatMap(name -> new Users(objects).of(name))
        .map(pod -> pod.meta().key())
        .distinct();
  }

  private static Stream<ObjectKey> pods(ObjectKey claim, Snapshot objects) {
    return new Users(objects).naming(claim).stream().map(pod -> pod.meta().key());
  }

  private static Stream<VolumeName> all(String node, Snapshot objects) {
    var attached =
        objects.by(Indexes.ATTACHMENTS_BY_NODE, node).stream()
            .flatMap(attachment -> names(attachment, objects));
    var used =
        objects.by(Indexes.PODS_BY_NODE, node).stream().flatMap(pod -> volumes(pod, objects));
    return Stream.concat(attached, used);
  }

  private static Stream<VolumeName> volumes(Pod pod, Snapshot objects) {
    return PodClaim.of(pod).stream().flatMap(used -> volumes(used.key(), objects));
  }

  /// By the volume's `claimRef`, since the claim may be gone already.
  private static Stream<VolumeName> volumes(ObjectKey claim, Snapshot objects) {
    return new Users(objects).reserved(claim).stream().flatMap(Concerned::name);
  }

  private static Stream<VolumeName> name(Volume volume) {
    return Translation.NONE.name(volume).stream();
  }

  private static List<Boolean> state(Node node) {
    return List.of(
        node.managed(),
        node.ready(),
        node.taints().stream().anyMatch(taint -> taint.key().equals(Labels.OUT_OF_SERVICE_TAINT)));
  }

  private static Stream<String> difference(Change<Node> change, Function<Node, Set<String>> list) {
    var before = change.before().map(list).orElse(Set.of());
    var after = change.after().map(list).orElse(Set.of());
    var difference = new HashSet<>(before);
    difference.addAll(after);
    difference.removeIf(name -> before.contains(name) && after.contains(name));
    return difference.stream();
  }

  private static <T extends KubeObject> Stream<T> sides(Change<T> change) {
    return Stream.of(change.before(), change.after()).flatMap(Optional::stream);
  }
}

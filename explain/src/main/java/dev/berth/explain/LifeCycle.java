package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.PodConditions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// In which row of the life cycle of explain.md an object is, whether anything is wrong with it or
/// not: L01, just created, to L20, its attributes are changed.
final class LifeCycle {
  private final Snapshot objects;

  LifeCycle(Snapshot objects) {
    this.objects = objects;
  }

  /// Empty: it is in none, as what has ended.
  Optional<String> row(Ref subject) {
    return Stream.of(
            subject
                .as(Kinds.POD)
                .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
                .flatMap(pod -> row(pod).stream()),
            subject
                .as(Kinds.CLAIM)
                .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
                .map(this::row),
            subject
                .as(Kinds.VOLUME)
                .flatMap(key -> objects.get(Kinds.VOLUME, key).found().stream())
                .flatMap(volume -> row(volume).stream()),
            subject
                .as(Kinds.ATTACHMENT)
                .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
                .map(this::row))
        .flatMap(it -> it)
        .findFirst();
  }

  private Optional<String> row(Pod pod) {
    if (pod.meta().deleting()) return Optional.of(pod.anyContainerRunning() ? "L12" : "L13");
    if (pod.finished()) return Optional.empty();
    if (pod.nodeName().isEmpty())
      return Optional.of(
          PodClaim.of(pod).stream()
              .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
              .filter(claim -> !claim.fullyBound())
              .map(this::row)
              .min(Comparator.naturalOrder())
              .orElse("L06"));
    return Optional.of(isMounted(pod) ? "L11" : attaching(pod));
  }

  /// Volumes are mounted before there is a sandbox.
  private static boolean isMounted(Pod pod) {
    boolean ready =
        pod.status()
            .path("conditions")
            .valueStream()
            .anyMatch(it ->
                it.path("type").asText().equals(PodConditions.READY_TO_START_CONTAINERS)
                    && it.path("status").asText().equals("True"));
    return ready || pod.anyContainerRunning() || pod.phase() == Pod.Phase.RUNNING;
  }

  private String attaching(Pod pod) {
    var node = objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName())).found();
    return new Ways(objects, Translation.NONE)
        .ofClaims(pod)
        .flatMap(way -> way instanceof Way.Arrived it ? Stream.of(it.name()) : Stream.empty())
        .filter(this::isAttachable)
        .map(name -> attaching(name, pod.nodeName(), node))
        .min(Comparator.naturalOrder())
        .orElse("L10");
  }

  private String attaching(VolumeName name, String nodeName, Optional<Node> node) {
    var attachment =
        objects.get(Kinds.ATTACHMENT, ObjectKey.cluster(name.attachment(nodeName))).found();
    boolean inUse = node.filter(it -> it.volumesInUse().contains(name.toString())).isPresent();
    if (attachment.isEmpty() || !inUse) return "L07";
    if (!attachment.get().attached()) return "L08";
    return node.filter(it -> it.volumesAttached().contains(name.toString())).isPresent()
        ? "L10"
        : "L09";
  }

  private boolean isAttachable(VolumeName name) {
    return objects
        .get(Kinds.CSI_DRIVER, ObjectKey.cluster(name.driver()))
        .found()
        .filter(driver -> !driver.attachRequired())
        .map(CsiDriver::attachRequired)
        .orElse(true);
  }

  private String row(Claim claim) {
    if (claim.meta().deleting()) return "L16";
    if (!claim.fullyBound()) return unbound(claim);
    if (claim.capacity().filter(it -> claim.request().compareTo(it) > 0).isPresent()) return "L19";
    if (!claim.attributesClassName().isEmpty()
        && !claim.attributesClassName().equals(claim.currentAttributesClass())) return "L20";
    return new Users(objects)
        .of(claim)
        .filter(pod -> !pod.finished() && !pod.nodeName().isEmpty())
        .flatMap(pod -> row(pod).stream())
        .min(Comparator.naturalOrder())
        .orElse("L06");
  }

  private String unbound(Claim claim) {
    boolean made =
        new Users(objects)
            .reserved(claim.meta().key()).stream()
                .flatMap(volume -> volume.claim().stream())
                .anyMatch(ref -> ref.uid().equals(claim.meta().uid()));
    if (made || !claim.volumeName().isEmpty()) return "L05";
    if (!waitsForConsumer(claim))
      return claim.meta().hasAnnotation(Annotations.STORAGE_PROVISIONER) ? "L04" : "L01";
    if (claim.selectedNode().isPresent()) return "L04";
    return new Users(objects).of(claim).anyMatch(pod -> !pod.finished()) ? "L03" : "L02";
  }

  private boolean waitsForConsumer(Claim claim) {
    return claim
        .className()
        .flatMap(name -> objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).found())
        .filter(StorageClass::waitsForFirstConsumer)
        .isPresent();
  }

  private Optional<String> row(Volume volume) {
    if (volume.meta().deleting()) return Optional.of("L18");
    if (volume.phase() == Volume.Phase.RELEASED)
      return volume.reclaimPolicy() == Volume.ReclaimPolicy.DELETE
          ? Optional.of("L17")
          : Optional.empty();
    return volume.claim().stream()
        .flatMap(ref ->
            objects.get(Kinds.CLAIM, ref.key()).found().stream().filter(ref::names).map(this::row))
        .findFirst();
  }

  private String row(Attachment attachment) {
    if (attachment.meta().deleting()) return "L15";
    if (!Holders.of(attachment, objects).isEmpty()) return attachment.attached() ? "L11" : "L08";
    boolean inUse =
        objects.get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName())).found().stream()
            .flatMap(volume -> Translation.NONE.source(volume).stream())
            .anyMatch(source ->
                objects
                    .get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName()))
                    .found()
                    .filter(node -> node.volumesInUse().contains(VolumeName.of(source).toString()))
                    .isPresent());
    return inUse ? "L14" : "L15";
  }
}

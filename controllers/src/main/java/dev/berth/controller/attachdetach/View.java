package dev.berth.controller.attachdetach;

import static java.util.stream.Collectors.groupingBy;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Binding;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What attach/detach sees.
record View(Snapshot objects, Instant now) {
  private static final Index<Node> NODES_BY_ATTACHED =
      new Index<>(Kinds.NODE, "attached volume", node -> List.copyOf(node.volumesAttached()));

  /// Several nodes may have such a volume at once (AD-41).
  private static final Set<AccessMode> SHARED =
      Set.of(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_MANY);

  Lookup<Pod> pod(ObjectKey key) {
    return objects.get(Kinds.POD, key);
  }

  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  Lookup<Attachment> attachment(VolumeName volume, String node) {
    return objects.get(Kinds.ATTACHMENT, ObjectKey.cluster(volume.attachment(node)));
  }

  Lookup<Attachment> attachment(ObjectKey key) {
    return objects.get(Kinds.ATTACHMENT, key);
  }

  Lookup<Node> node(String name) {
    return objects.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  /// Of every CSI volume that there is.
  Stream<VolumeName> allVolumes() {
    return objects.all(Kinds.VOLUME).stream()
        .flatMap(volume -> Translation.NONE.name(volume).stream());
  }

  /// A driver without a CSIDriver object attaches (AD-12).
  boolean attaches(String driver) {
    return objects
        .get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
        .found()
        .map(CsiDriver::attachRequired)
        .orElse(true);
  }

  Collection<Volume> volumes(VolumeName name) {
    return new Users(objects).volumes(name);
  }

  /// Whether several nodes may have the volume at once; one of which nothing is known may be.
  boolean shared(VolumeName name) {
    var volumes = volumes(name);
    return volumes.isEmpty()
        || volumes.stream()
            .map(Volume::accessModes)
            .anyMatch(modes -> modes.isEmpty() || modes.stream().anyMatch(SHARED::contains));
  }

  /// The volume with every node that has it, should have it or was told that it has it.
  List<Pair> pairs(VolumeName name) {
    var attachments = attachments(name).collect(groupingBy(Attachment::nodeName));
    var uses = uses(name).collect(groupingBy(use -> use.pod().nodeName()));
    var nodes = new TreeSet<>(attachments.keySet());
    nodes.addAll(uses.keySet());
    for (var node : objects.by(NODES_BY_ATTACHED, name.toString())) nodes.add(node.meta().name());
    return nodes.stream()
        .map(node ->
            pair(
                name,
                node,
                attachments.getOrDefault(node, List.of()),
                uses.getOrDefault(node, List.of())))
        .toList();
  }

  /// The volume and this one node.
  Pair pair(VolumeName name, String node) {
    return pair(
        name,
        node,
        attachments(name).filter(attachment -> attachment.nodeName().equals(node)).toList(),
        uses(name).filter(use -> use.pod().nodeName().equals(node)).toList());
  }

  private Pair pair(VolumeName name, String node, List<Attachment> here, List<Use> uses) {
    var own = name.attachment(node);
    return new Pair(
        name,
        node,
        objects.get(Kinds.NODE, ObjectKey.cluster(node)),
        attachment(name, node),
        here.stream().anyMatch(other -> !other.meta().name().equals(own)),
        uses);
  }

  private Stream<Attachment> attachments(VolumeName name) {
    var volumes = volumes(name);
    var named =
        volumes.stream()
            .flatMap(
                volume -> objects.by(Indexes.ATTACHMENTS_BY_VOLUME, volume.meta().name()).stream())
            .filter(attachment -> attachment.attacher().equals(name.driver()));
    return volumes.isEmpty() ? named : Stream.concat(named, Left.of(name, objects));
  }

  private Stream<Use> uses(VolumeName name) {
    return attaches(name.driver()) ? volumes(name).stream().flatMap(this::uses) : Stream.empty();
  }

  private Stream<Use> uses(Volume volume) {
    return new Users(objects)
        .of(volume)
        .filter(pod -> !pod.nodeName().isEmpty() && !ended(pod))
        .filter(pod -> !usesSuccessor(pod, volume.claim().orElseThrow()))
        .map(pod -> new Use(pod, volume, standing(pod, volume)));
  }

  /// Whether the pod came to a later claim of the same name, which has another volume. One that was
  /// there before that claim may have this one mounted still (RACE-02, AD-11).
  private boolean usesSuccessor(Pod pod, Volume.ClaimRef reserved) {
    return claim(reserved.key())
        .found()
        .map(Claim::meta)
        .filter(claim -> !reserved.uid().isEmpty() && !claim.uid().equals(reserved.uid()))
        .filter(claim -> !pod.meta().created().isBefore(claim.created()))
        .isPresent();
  }

  /// Whether a pod needs no volume any more (AD-13). One that is being deleted needs them while a
  /// container runs.
  static boolean ended(Pod pod) {
    return pod.finished() || (pod.meta().deleting() && !pod.anyContainerRunning());
  }

  /// From the pod to its volumes.
  Ways ways() {
    return new Ways(objects, Translation.NONE);
  }

  private Use.Standing standing(Pod pod, Volume volume) {
    var reserved = volume.claim().orElseThrow();
    boolean resolved =
        PodClaim.of(pod).stream()
            .filter(used -> used.key().equals(reserved.key()))
            .map(used -> ways().of(pod, used))
            .anyMatch(way ->
                way instanceof Way.Arrived arrived
                    && arrived.claim().phase() == Claim.Phase.BOUND
                    && Binding.isMutual(arrived.claim(), volume));
    return resolved ? Use.Standing.RESOLVED : Use.Standing.DANGLING;
  }
}

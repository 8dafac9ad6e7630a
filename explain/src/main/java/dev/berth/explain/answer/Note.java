package dev.berth.explain.answer;

import dev.berth.explain.upstream.SetClaims;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What nothing waits for, and whoever asks about an object should know of it (C21, D05, D06, R15,
/// S07, S08, T08, X12).
///
/// @param state of explain.md
public record Note(String state, String sentence) {
  private static final String SET = "StatefulSet";

  public static List<Note> about(Ref subject, Snapshot objects, Instant now) {
    return Stream.of(
            subject
                .as(Kinds.CLAIM)
                .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
                .flatMap(claim ->
                    Stream.of(
                            classChanged(claim, objects),
                            comesBack(claim, objects),
                            goesWithItsSet(claim, objects))
                        .flatMap(Optional::stream)),
            subject
                .as(Kinds.POD)
                .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
                .filter(pod -> pod.finished() && !pod.meta().deleting())
                .flatMap(pod -> keeps(pod, objects).stream()),
            subject
                .as(Kinds.POD)
                .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
                .flatMap(pod -> replaces(pod, objects).stream()),
            SetClaims.outgrown(subject, objects).stream().map(it -> new Note("S08", it)),
            Countdowns.about(subject, objects, now))
        .flatMap(it -> it)
        .toList();
  }

  /// C21: only of what was made by a class; volumes that people made have classes that are names.
  private static Optional<Note> classChanged(Claim claim, Snapshot objects) {
    if (claim.phase() != Claim.Phase.BOUND
        || claim.className().filter(it -> !it.isEmpty()).isEmpty()) return Optional.empty();
    var maker =
        volume(claim, objects).flatMap(it -> it.meta().annotation(Annotations.PROVISIONED_BY));
    if (maker.isEmpty()) return Optional.empty();
    var name = claim.className().orElseThrow();
    var provisioner =
        objects
            .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name))
            .found()
            .map(StorageClass::provisioner);
    if (provisioner.equals(maker)) return Optional.empty();
    return Optional.of(
        new Note(
            "C21",
            "class %s, by which its volume was made, %s; the data is not concerned: growth, changes and deletion go by the volume"
                .formatted(
                    name, provisioner.map(it -> "now names provisioner " + it).orElse("is gone"))));
  }

  private static Optional<Volume> volume(Claim claim, Snapshot objects) {
    return claim.volumeName().isEmpty()
        ? Optional.empty()
        : objects
            .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
            .found()
            .filter(it -> Translation.NONE.source(it).isPresent());
  }

  /// D05: whoever made it makes another of its name.
  private static Optional<Note> comesBack(Claim claim, Snapshot objects) {
    if (!claim.meta().deleting()) return Optional.empty();
    return new Users(objects)
        .of(claim)
        .filter(pod -> !pod.finished())
        .flatMap(pod -> maker(claim, pod).stream())
        .findFirst()
        .map(maker ->
            new Note(
                "D05",
                "another of its name is made as soon as it has gone: scale down or delete "
                    + maker));
  }

  private static Optional<String> maker(Claim claim, Pod pod) {
    boolean ephemeral =
        PodClaim.of(pod).stream()
            .anyMatch(used ->
                used.origin() == PodClaim.Origin.MADE_FOR_POD
                    && used.key().equals(claim.meta().key()));
    if (ephemeral && !pod.meta().deleting()) return Optional.of(pod.ref().toString());
    return pod.meta()
        .controllerOwner()
        .filter(owner ->
            owner.kind().equals(SET) && claim.meta().name().endsWith("-" + pod.meta().name()))
        .map(owner -> "statefulset/" + owner.name());
  }

  /// D06: `persistentVolumeClaimRetentionPolicy`.
  private static Optional<Note> goesWithItsSet(Claim claim, Snapshot objects) {
    if (!claim.meta().deleting()) return Optional.empty();
    return claim.meta().owners().stream()
        .filter(owner -> owner.kind().equals(SET))
        .map(Owner::name)
        .findFirst()
        .map(set ->
            new Note(
                "D06",
                "it is deleted with statefulset/%s, whose persistentVolumeClaimRetentionPolicy says so; its volume has policy %s"
                    .formatted(
                        set,
                        volume(claim, objects)
                            .map(it -> it.reclaimPolicy().text())
                            .orElse("unknown"))));
  }

  /// S07: a Deployment that rolls starts the new pod before the old one ends.
  private static Optional<Note> replaces(Pod pod, Snapshot objects) {
    if (pod.finished() || pod.anyContainerRunning() || pod.meta().deleting())
      return Optional.empty();
    return PodClaim.of(pod).stream()
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
        .filter(claim ->
            claim.accessModes().stream()
                .allMatch(mode ->
                    mode == AccessMode.READ_WRITE_ONCE || mode == AccessMode.READ_WRITE_ONCE_POD))
        .flatMap(new Users(objects)::of)
        .filter(other -> !other.finished() && !other.meta().deleting())
        .filter(other -> !other.nodeName().isEmpty() && !other.nodeName().equals(pod.nodeName()))
        .filter(other -> isOfOneDeployment(pod, other))
        .findFirst()
        .map(old ->
            new Note(
                "S07",
                "%s is its forerunner, which ends only when this one runs: give the deployment strategy Recreate, or make it a StatefulSet"
                    .formatted(old.ref())));
  }

  /// Each template of a Deployment has a ReplicaSet, called after it and a hash.
  private static boolean isOfOneDeployment(Pod one, Pod other) {
    var mine = replicaSet(one);
    var its = replicaSet(other);
    return mine.isPresent()
        && its.isPresent()
        && !mine.equals(its)
        && stem(mine.get()).equals(stem(its.get()));
  }

  private static Optional<String> replicaSet(Pod pod) {
    return pod.meta()
        .controllerOwner()
        .filter(owner -> owner.kind().equals("ReplicaSet"))
        .map(Owner::name);
  }

  private static String stem(String name) {
    return name.contains("-") ? name.substring(0, name.lastIndexOf('-')) : name;
  }

  // R15
  private static Optional<Note> keeps(Pod pod, Snapshot objects) {
    return PodClaim.of(pod).stream()
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
        .filter(claim -> claim.meta().deleting())
        .findFirst()
        .map(claim ->
            new Note(
                "R15",
                "it has ended and still keeps claim %s, which is to go: %s"
                    .formatted(claim.meta().key(), Commands.delete(pod.ref()))));
  }
}

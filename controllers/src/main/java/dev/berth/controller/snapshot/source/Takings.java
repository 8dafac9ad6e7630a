package dev.berth.controller.snapshot.source;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.volume.Translation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is being taken of claims.
///
/// @param groups whether groups are read; else there are none
public record Takings(Snapshot objects, boolean groups) {
  /// Snapshots by the claim of which they are taken, `namespace/name`.
  public static final Index<VolumeSnapshot> SNAPSHOTS_BY_CLAIM =
      new Index<>(
          SnapshotKinds.SNAPSHOT,
          "claim",
          snapshot -> claim(snapshot).map(ObjectKey::toString).stream().toList());

  /// Groups that are to be taken of claims and are not yet, by namespace.
  private static final Index<GroupSnapshot> GROUPS_TO_TAKE =
      new Index<>(
          SnapshotKinds.GROUP_SNAPSHOT,
          "namespace, while it is to be taken",
          group ->
              group.selector().isEmpty() || group.isReady()
                  ? List.of()
                  : List.of(group.meta().namespace()));

  /// The claim of which a snapshot is taken.
  public static Optional<ObjectKey> claim(VolumeSnapshot snapshot) {
    return snapshot
        .claimName()
        .filter(name -> !name.isEmpty())
        .map(name -> ObjectKey.of(snapshot.meta().namespace(), name));
  }

  /// The content that is the snapshot's: the one that it is bound to, or that was made for it
  /// (SNAP-50).
  public Optional<SnapshotContent> own(VolumeSnapshot snapshot) {
    return snapshot
        .boundContent()
        .or(() -> snapshot.claimName().map(_ -> SnapshotContent.name(snapshot.meta().uid())))
        .flatMap(name -> objects.get(SnapshotKinds.CONTENT, ObjectKey.cluster(name)).found())
        .filter(content -> content.snapshot().isBoundTo(snapshot.meta()));
  }

  /// What is being taken of the claim (SNAP-21).
  public Optional<Ref> of(Claim claim) {
    return of(claim, Optional.empty());
  }

  /// What is being taken of the claim. A snapshot that has failed for good, or has not been begun
  /// and never will be, keeps no claim that somebody wants to delete (SNAP-A2).
  ///
  /// @param but a snapshot that counts no more
  public Optional<Ref> of(Claim claim, Optional<ObjectKey> but) {
    return alone(claim, but).or(() -> inGroup(claim));
  }

  private Optional<Ref> alone(Claim claim, Optional<ObjectKey> but) {
    return objects.by(SNAPSHOTS_BY_CLAIM, claim.meta().key().toString()).stream()
        .filter(snapshot -> but.filter(snapshot.meta().key()::equals).isEmpty())
        .filter(snapshot -> !snapshot.shown().readyToUse().orElse(false))
        .filter(snapshot -> !claim.meta().deleting() || canBeTaken(snapshot, claim))
        .map(VolumeSnapshot::ref)
        .findFirst();
  }

  /// Of a claim that is being deleted. One that is not bound never will be.
  private boolean canBeTaken(VolumeSnapshot snapshot, Claim claim) {
    return !hasFailed(snapshot)
        && (claim.phase() == Claim.Phase.BOUND || own(snapshot).isPresent());
  }

  private boolean hasFailed(VolumeSnapshot snapshot) {
    return own(snapshot)
        .filter(content -> content.shown().error().isPresent())
        .filter(content -> !content.meta().hasAnnotation(SnapshotAnnotations.BEING_CREATED))
        .isPresent();
  }

  /// The content that is the group's, whether its status says so yet or not (SNAP-76).
  public Optional<GroupContent> own(GroupSnapshot group) {
    return group
        .boundContent()
        .flatMap(this::groupContent)
        .or(() -> named(group))
        .filter(content -> content.snapshot().isBoundTo(group.meta()));
  }

  /// The content that the group names, or that bears the name of one made for it.
  public Optional<GroupContent> named(GroupSnapshot group) {
    return groupContent(group.contentName().orElseGet(() -> GroupContent.name(group.meta().uid())));
  }

  private Optional<GroupContent> groupContent(String name) {
    return objects.get(SnapshotKinds.GROUP_CONTENT, ObjectKey.cluster(name)).found();
  }

  private Optional<Ref> inGroup(Claim claim) {
    if (!groups) return Optional.empty();
    return objects.by(GROUPS_TO_TAKE, claim.meta().namespace()).stream()
        .filter(group -> takes(group, claim))
        .filter(group -> !claim.meta().deleting() || !hasFailed(group))
        .map(GroupSnapshot::ref)
        .findFirst();
  }

  /// Once its content is made, a group is taken of the volumes that stand there, whatever labels
  /// their claims have by now.
  private boolean takes(GroupSnapshot group, Claim claim) {
    return own(group)
        .map(content -> handles(content).anyMatch(handle -> isOf(claim, content, handle)))
        .orElseGet(() ->
            !group.meta().deleting()
                && group.shown().creationTime().isEmpty()
                && group.selects(claim.meta()));
  }

  private static Stream<String> handles(GroupContent content) {
    return content.volumeHandles().stream().flatMap(List::stream);
  }

  private boolean isOf(Claim claim, GroupContent content, String handle) {
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .flatMap(Translation.NONE::source)
        .filter(it -> it.driver().equals(content.driver()) && it.handle().equals(handle))
        .isPresent();
  }

  private boolean hasFailed(GroupSnapshot group) {
    return own(group)
        .filter(content -> content.shown().error().isPresent())
        .filter(content -> !content.meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_CREATED))
        .isPresent();
  }
}

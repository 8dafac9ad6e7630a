package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import dev.berth.simulation.driver.Shots.Shot;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Nothing is cut twice under one name; what a policy keeps is not thrown away, nor one of a group
/// alone. At rest every snapshot that can be is ready and has what it stands for, everything that
/// the driver has is somebody's, and no claim is held for nothing.
final class SnapshotsAreKept implements Invariant {
  private final Set<String> cut = new HashSet<>();
  private Optional<Snapshot> last = Optional.empty();

  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    return switch (demand) {
      case Demand.Cut(var name) when !cut.add(name) -> Optional.of(name + " is cut once more");
      case Demand.Discard(var id) -> discard(id, backend);
      default -> Optional.empty();
    };
  }

  private Optional<String> discard(String id, Backend backend) {
    if (backend.shots().find(id).filter(shot -> !shot.group().isEmpty()).isPresent())
      return Optional.of(id + " is thrown away without its group");
    return last.filter(objects -> isKept(objects, id))
        .map(_ -> id + " is thrown away, though it is to be kept");
  }

  private static boolean isKept(Snapshot objects, String id) {
    return objects.all(SnapshotKinds.CONTENT).stream()
            .anyMatch(it ->
                it.deletionPolicy() == DeletionPolicy.RETAIN && it.handle().equals(Optional.of(id)))
        || objects.all(SnapshotKinds.GROUP_CONTENT).stream()
            .anyMatch(it ->
                it.deletionPolicy() == DeletionPolicy.RETAIN
                    && it.handle().equals(Optional.of(id)));
  }

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    last = Optional.of(objects);
    return Optional.empty();
  }

  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return Stream.of(
            objects.all(SnapshotKinds.SNAPSHOT).stream()
                .flatMap(it -> ofSnapshot(objects, backend, it).stream()),
            objects.all(SnapshotKinds.GROUP_SNAPSHOT).stream()
                .filter(it -> it.meta().deleting())
                .map(it -> "group %s is left, though deleted".formatted(it.meta().key())),
            objects.all(SnapshotKinds.CONTENT).stream()
                .flatMap(it -> ofContent(objects, backend, it).stream()),
            objects.all(SnapshotKinds.GROUP_CONTENT).stream()
                .filter(it -> it.deletionPolicy() == DeletionPolicy.DELETE)
                .filter(it ->
                    objects
                        .get(SnapshotKinds.GROUP_SNAPSHOT, it.snapshot().key())
                        .found()
                        .isEmpty())
                .map(it -> it.meta().name() + " is left without its group"),
            backend.shots().all().stream()
                .filter(it -> !isKnown(objects, it))
                .map(it -> "%s (%s) is left without a content".formatted(it.id(), it.name())),
            objects.all(Kinds.CLAIM).stream()
                .filter(it -> it.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE))
                .filter(it -> !isBeingTaken(objects, it))
                .map(it -> "claim %s is held for nothing".formatted(it.meta().key())))
        .flatMap(some -> some)
        .findFirst();
  }

  private static Optional<String> ofSnapshot(
      Snapshot objects, Backend backend, VolumeSnapshot snapshot) {
    var key = snapshot.meta().key();
    if (snapshot.meta().deleting())
      return Optional.of(
          "snapshot %s is left, though deleted; kept by %s"
              .formatted(key, snapshot.meta().finalizers()));
    var owner = snapshot.meta().owners().stream().findFirst();
    if (owner.isPresent()
        && objects
            .get(
                SnapshotKinds.GROUP_SNAPSHOT,
                ObjectKey.of(snapshot.meta().namespace(), owner.get().name()))
            .found()
            .isEmpty()) return Optional.of("snapshot %s is left without its group".formatted(key));
    return snapshot.isReady() || !canBeTaken(objects, backend, snapshot)
        ? Optional.empty()
        : Optional.of("snapshot %s is not ready".formatted(key));
  }

  /// Its claim is there, and so is the volume that it was to be taken of.
  private static boolean canBeTaken(Snapshot objects, Backend backend, VolumeSnapshot snapshot) {
    var content =
        objects
            .get(
                SnapshotKinds.CONTENT,
                ObjectKey.cluster(
                    snapshot
                        .boundContent()
                        .orElseGet(() -> SnapshotContent.name(snapshot.meta().uid()))))
            .found();
    if (content.isPresent())
      return content.get().volumeHandle().filter(it -> backend.find(it).isPresent()).isPresent();
    return snapshot
        .claimName()
        .map(name -> ObjectKey.of(snapshot.meta().namespace(), name))
        .flatMap(claim -> objects.get(Kinds.CLAIM, claim).found())
        .filter(claim -> claim.phase() == Claim.Phase.BOUND && !claim.meta().deleting())
        .isPresent();
  }

  private static Optional<String> ofContent(
      Snapshot objects, Backend backend, SnapshotContent content) {
    var name = content.meta().name();
    var handle = content.handle();
    if (handle.isPresent() && backend.shots().find(handle.get()).isEmpty())
      return Optional.of("%s stands for %s, which is gone".formatted(name, handle.get()));
    return content.deletionPolicy() == DeletionPolicy.DELETE
            && objects.get(SnapshotKinds.SNAPSHOT, content.snapshot().key()).found().isEmpty()
        ? Optional.of(name + " is left without a snapshot")
        : Optional.empty();
  }

  private static boolean isKnown(Snapshot objects, Shot shot) {
    return shot.group().isEmpty()
        ? objects.all(SnapshotKinds.CONTENT).stream()
            .anyMatch(it -> it.handle().equals(Optional.of(shot.id())))
        : objects.all(SnapshotKinds.GROUP_CONTENT).stream()
            .anyMatch(it -> it.handle().equals(Optional.of(shot.group())));
  }

  private static boolean isBeingTaken(Snapshot objects, Claim claim) {
    return objects.all(SnapshotKinds.SNAPSHOT).stream()
            .filter(it -> it.claimName().equals(Optional.of(claim.meta().name())))
            .anyMatch(it -> !it.isReady())
        || objects.all(SnapshotKinds.GROUP_SNAPSHOT).stream()
            .anyMatch(it -> !it.isReady() && it.selects(claim.meta()));
  }
}

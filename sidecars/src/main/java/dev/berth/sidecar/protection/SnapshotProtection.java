package dev.berth.sidecar.protection;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.source.SourceHolds;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Lets go of a snapshot once no volume is being made from it (PROV-147, PROV-148). It looks at
/// each change, so that there is nothing to sweep for.
public final class SnapshotProtection
    implements Decider<ObjectKey, SnapshotProtection.View, LetGo> {
  private static final String HELD = "held";

  private static final Index<VolumeSnapshot> HELD_SNAPSHOTS =
      new Index<>(
          SnapshotKinds.SNAPSHOT,
          "held while restored",
          snapshot -> held(snapshot) ? List.of(HELD) : List.of());

  /// Whichever driver restores: the one that held the snapshot may be gone.
  private static final Dispatch<VolumeSnapshot> OF_HELD =
      new Dispatch<>(
          SnapshotKinds.SNAPSHOT,
          "snapshots that are restored",
          (change, _) -> ifHeld(change).findAny().map(_ -> HELD).stream().toList(),
          (name, objects) -> objects.by(HELD_SNAPSHOTS, name).stream());

  /// At the start each snapshot that is held is looked at anyway.
  private static final Dispatch<Claim> OF_RESTORED =
      new Dispatch<>(
          Kinds.CLAIM,
          "claims that snapshots are restored to",
          (change, _) ->
              change.versions().anyMatch(SnapshotProtection::isRestored)
                  ? List.of(HELD)
                  : List.of(),
          (_, _) -> Stream.of());

  /// As above.
  private static final Dispatch<Volume> OF_SAVED =
      new Dispatch<>(
          Kinds.VOLUME,
          "volumes that snapshots are restored to",
          SnapshotProtection::ifRestored,
          (_, _) -> Stream.of());

  private final String driver;

  SnapshotProtection(String driver) {
    this.driver = driver;
  }

  public static Concern<Means, ?, ?, ?> of(DriverFacts driver) {
    return new Concern<>(
        Sidecar.PROVISIONER.role(driver.name()),
        new SnapshotProtection(driver.name()),
        means ->
            effect ->
                new SourceHolds(means.api())
                    .letGo(
                        SnapshotResources.SNAPSHOTS,
                        effect.seen().object(),
                        SnapshotFinalizers.PROVISIONER_SOURCE));
  }

  /// What it sees.
  public record View(Snapshot objects) {}

  @Override
  public String name() {
    return "snapshot-protection/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(OF_HELD.share(HELD), (change, _) -> ifHeld(change)),
        Trigger.on(OF_RESTORED.share(HELD), SnapshotProtection::sources),
        Trigger.on(OF_SAVED.share(HELD), SnapshotProtection::saved));
  }

  private static boolean isRestored(Claim claim) {
    return claim.dataSource().filter(it -> it.kind().equals(Source.SNAPSHOT_KIND)).isPresent();
  }

  private static List<String> ifRestored(Change<Volume> change, Snapshot objects) {
    boolean restored =
        change.isComingOrGoing()
            && change
                .after()
                .flatMap(Volume::claim)
                .flatMap(ref -> objects.get(Kinds.CLAIM, ref.key()).found())
                .filter(SnapshotProtection::isRestored)
                .isPresent();
    return restored ? List.of(HELD) : List.of();
  }

  /// What a volume that has just been saved was made from.
  private static Stream<ObjectKey> saved(Change<Volume> change, Snapshot objects) {
    if (!change.isComingOrGoing()) return Stream.empty();
    return change.after().flatMap(Volume::claim).stream()
        .flatMap(ref -> objects.get(Kinds.CLAIM, ref.key()).found().stream())
        .flatMap(claim -> source(claim, objects));
  }

  /// What the claim is made from, and what another of its name was to be made from.
  private static Stream<ObjectKey> sources(Change<Claim> change, Snapshot objects) {
    return change.versions().flatMap(claim -> source(claim, objects)).distinct();
  }

  private static Stream<ObjectKey> source(Claim claim, Snapshot objects) {
    return claim.dataSource().stream()
        .filter(it -> it.kind().equals(Source.SNAPSHOT_KIND))
        .flatMap(it -> objects.get(SnapshotKinds.SNAPSHOT, it.key()).found().stream())
        .flatMap(SnapshotProtection::ifHeld);
  }

  private static Stream<ObjectKey> ifHeld(Change<VolumeSnapshot> change) {
    return change.after().stream().flatMap(SnapshotProtection::ifHeld);
  }

  private static Stream<ObjectKey> ifHeld(VolumeSnapshot snapshot) {
    return held(snapshot) ? Stream.of(snapshot.meta().key()) : Stream.empty();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects().get(SnapshotKinds.SNAPSHOT, key)) {
      case Missing<VolumeSnapshot> _ -> new Settled();
      case Found(var snapshot) when !held(snapshot) -> new Settled();
      case Found(var snapshot) ->
          Fillings.unsavedFrom(Source.SNAPSHOT_KIND, key, view.objects())
              .map(copy -> untilRestored(snapshot, copy))
              .orElseGet(() -> new Act(new LetGo(key, new Seen<>(snapshot.meta()))));
    };
  }

  private static boolean held(VolumeSnapshot snapshot) {
    return snapshot.meta().hasFinalizer(SnapshotFinalizers.PROVISIONER_SOURCE);
  }

  /// A snapshot that nobody deletes waits for nothing.
  private static Step untilRestored(VolumeSnapshot snapshot, Claim copy) {
    if (!snapshot.meta().deleting()) return new Settled();
    return Wait.on(copy.ref(), "status.phase")
        .since(snapshot.meta().deleted().orElseThrow())
        .until("the volume of claim %s is made from it".formatted(copy.meta().key()))
        .remedy("see what it waits for: " + Commands.explain(copy.ref()));
  }

  @Override
  public Class<LetGo> effectType() {
    return LetGo.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.SNAPSHOT);
  }
}

package dev.berth.controller.snapshot.source;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Lets go of claims of which nothing is being taken any more (SNAP-21). It is about the claim and
/// not about a snapshot of it: the last one may have gone while nobody looked.
public final class ClaimKeeper implements Decider<ObjectKey, Takings, ReleaseClaim> {
  /// What taking a snapshot may take.
  private static final Duration USUAL = Duration.ofMinutes(5);

  /// Held claims by namespace: few, as long as nothing goes wrong.
  private static final Index<Claim> HELD =
      new Index<>(
          Kinds.CLAIM,
          "namespace, while held as a source",
          claim -> isHeld(claim) ? List.of(claim.meta().namespace()) : List.of());

  private final boolean groups;

  /// @param groups whether groups are read; else there are none
  public ClaimKeeper(boolean groups) {
    this.groups = groups;
  }

  @Override
  public String name() {
    return "snapshot-controller-claim";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(Trigger.on(Kinds.CLAIM, (change, _) -> ofClaim(change)));
    triggers.add(Trigger.on(SnapshotKinds.SNAPSHOT, ClaimKeeper::ofSnapshot));
    triggers.add(Trigger.on(SnapshotKinds.CONTENT, ClaimKeeper::ofContent));
    if (groups) {
      triggers.add(Trigger.none(Kinds.VOLUME)); // which is whose volume stays so while it is held
      triggers.add(
          Trigger.on(
              SnapshotKinds.GROUP_SNAPSHOT,
              (change, objects) -> heldIn(change.latest().meta().namespace(), objects)));
      triggers.add(
          Trigger.on(
              SnapshotKinds.GROUP_CONTENT,
              (change, objects) -> heldIn(change.latest().snapshot().key().namespace(), objects)));
    }
    return triggers;
  }

  private static Stream<ObjectKey> heldIn(String namespace, Snapshot objects) {
    return objects.by(HELD, namespace).stream().map(claim -> claim.meta().key());
  }

  private static Stream<ObjectKey> ofClaim(Change<Claim> change) {
    return change.after().filter(ClaimKeeper::isHeld).map(claim -> claim.meta().key()).stream();
  }

  private static Stream<ObjectKey> ofSnapshot(Change<VolumeSnapshot> change, Snapshot objects) {
    return held(Takings.claim(change.latest()), objects);
  }

  /// It may have failed for good (SNAP-A2).
  private static Stream<ObjectKey> ofContent(Change<SnapshotContent> change, Snapshot objects) {
    return held(
        objects
            .get(SnapshotKinds.SNAPSHOT, change.latest().snapshot().key())
            .found()
            .flatMap(Takings::claim),
        objects);
  }

  private static Stream<ObjectKey> held(Optional<ObjectKey> claim, Snapshot objects) {
    return claim
        .filter(
            key -> objects.get(Kinds.CLAIM, key).found().filter(ClaimKeeper::isHeld).isPresent())
        .stream();
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE);
  }

  @Override
  public Takings view(Facts facts, Instant now) {
    return new Takings(facts, groups);
  }

  @Override
  public Step decide(Takings view, ObjectKey key) {
    return switch (view.objects().get(Kinds.CLAIM, key)) {
      case Missing<Claim> _ -> new Settled();
      case Found<Claim>(var claim) when !isHeld(claim) -> new Settled();
      case Found<Claim>(var claim) ->
          view.of(claim)
              .map(taken -> keep(claim, taken))
              .orElseGet(() -> new Act(new ReleaseClaim(key, claim.meta().uid())));
    };
  }

  private static Step keep(Claim claim, Ref taken) {
    return claim.meta().deleting() ? untilTaken(claim, taken) : new Settled();
  }

  /// SNAP-A2: whoever deletes the claim hears what keeps it.
  private static Wait untilTaken(Claim claim, Ref taken) {
    return Wait.on(taken, "status.readyToUse")
        .since(claim.meta().deleted().orElseThrow())
        .until("%s is taken of the claim, which is kept as long".formatted(taken))
        .ifLate(USUAL, "berth explain %1$s, or delete %1$s".formatted(taken))
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.CLAIM_IN_USE,
                "the claim is kept for %s, which is being taken of it".formatted(taken)));
  }

  @Override
  public Class<ReleaseClaim> effectType() {
    return ReleaseClaim.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }
}

package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Takes VolumeSnapshots to where their authors want them.
final class SnapshotKeeper implements Decider<ObjectKey, View, SnapshotEffect> {
  private final Snapshots.Options options;
  private final SnapshotDecision decision;

  SnapshotKeeper(Snapshots.Options options) {
    this.options = options;
    decision = new SnapshotDecision(options);
  }

  @Override
  public String name() {
    return "snapshot-controller-snapshot";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(
        Trigger.on(SnapshotKinds.SNAPSHOT, (change, _) -> Stream.of(key(change.latest()))));
    triggers.addAll(others());
    // which node reaches a volume is asked once; upstream's rights show nodes to nobody else
    // (SNAP-91)
    if (options.distributed()) triggers.add(Trigger.none(Kinds.NODE));
    if (options.groups()) {
      triggers.add(Trigger.on(SnapshotKinds.GROUP_SNAPSHOT, SnapshotKeeper::ofGroup));
      triggers.add(Trigger.on(SnapshotKinds.GROUP_CONTENT, SnapshotKeeper::ofGroupContent));
    }
    return triggers;
  }

  /// What a snapshot depends on.
  private static List<Trigger<?, ObjectKey>> others() {
    return List.of(
        Trigger.on(SnapshotKinds.CONTENT, SnapshotKeeper::ofContent),
        Trigger.on(SnapshotKinds.CLASS, SnapshotKeeper::ofClass),
        Trigger.on(Kinds.CLAIM, SnapshotKeeper::ofClaim),
        Trigger.on(Kinds.VOLUME, SnapshotKeeper::ofVolume));
  }

  /// Whoever has it and whoever wants it (SNAP-42).
  private static Stream<ObjectKey> ofContent(Change<SnapshotContent> change, Snapshot objects) {
    var content = change.latest();
    return Stream.concat(
            Stream.of(content.snapshot().key()),
            keys(objects.by(View.SNAPSHOTS_BY_CONTENT, content.meta().name())))
        .distinct();
  }

  /// Snapshots that may wait for it; one that has been taken waits for no class.
  private static Stream<ObjectKey> ofClass(Change<SnapshotClass> change, Snapshot objects) {
    return Stream.of(change.latest().meta().name(), "")
        .flatMap(name -> objects.by(View.SNAPSHOTS_BY_CLASS, name).stream())
        .filter(snapshot -> !snapshot.isReady())
        .map(SnapshotKeeper::key);
  }

  private static Stream<ObjectKey> ofGroup(Change<GroupSnapshot> change, Snapshot objects) {
    return keys(objects.by(View.SNAPSHOTS_BY_GROUP, key(change.latest()).toString()));
  }

  private static Stream<ObjectKey> ofGroupContent(Change<GroupContent> change, Snapshot objects) {
    return change.latest().handle().stream()
        .flatMap(handle -> objects.by(View.CONTENTS_BY_GROUP, handle).stream())
        .filter(content -> !content.isReady())
        .map(content -> content.snapshot().key());
  }

  /// Snapshots that are being taken of it, and what it is made from, if that is to go.
  private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    return Stream.concat(
        concerned(key(change.latest()), objects),
        SnapshotIndexes.restored(change.latest())
            .flatMap(key -> objects.get(SnapshotKinds.SNAPSHOT, key).found())
            .filter(snapshot -> snapshot.meta().deleting())
            .map(SnapshotKeeper::key)
            .stream());
  }

  private static Stream<ObjectKey> ofVolume(Change<Volume> change, Snapshot objects) {
    return Stream.of(change.before(), change.after())
        .flatMap(Optional::stream)
        .flatMap(volume -> volume.claim().stream())
        .flatMap(claim -> concerned(claim.key(), objects))
        .distinct();
  }

  private static Stream<ObjectKey> concerned(ObjectKey claim, Snapshot objects) {
    return objects.by(Takings.SNAPSHOTS_BY_CLAIM, claim.toString()).stream()
        .filter(snapshot -> !snapshot.isReady())
        .map(SnapshotKeeper::key);
  }

  private static Stream<ObjectKey> keys(Collection<VolumeSnapshot> snapshots) {
    return snapshots.stream().map(SnapshotKeeper::key);
  }

  private static ObjectKey key(KubeObject object) {
    Meta meta = object.meta();
    return meta.key();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now, options.groups());
  }

  @Override
  public Step decide(View view, ObjectKey snapshot) {
    return decision.decide(view, snapshot);
  }

  @Override
  public Class<SnapshotEffect> effectType() {
    return SnapshotEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.SNAPSHOT);
  }
}

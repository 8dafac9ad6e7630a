package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.SnapshotEffect.HoldContent;
import dev.berth.controller.snapshot.SnapshotEffect.MarkBeingDeleted;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Keeps contents that belong to a snapshot (spec/snapshotter.md, section 4). It deletes none: that
/// a snapshot is missing says only that it is not here (SNAP-41).
final class ContentKeeper implements Decider<ObjectKey, View, SnapshotEffect> {
  @Override
  public String name() {
    return "snapshot-controller-content";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(SnapshotKinds.CONTENT, (change, _) -> Stream.of(change.latest().meta().key())),
        // a snapshot that goes says so itself, once nothing keeps it any more (SNAP-42)
        Trigger.none(SnapshotKinds.SNAPSHOT));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now, false);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.content(key.name())) {
      case Missing<SnapshotContent> _ -> new Settled();
      case Found<SnapshotContent>(var content)
          when content.volumeHandle().isPresent() == content.snapshotHandle().isPresent() ->
          untilSourceIsOne(content);
      case Found<SnapshotContent>(var content) when content.snapshot().uid().isEmpty() ->
          new Settled(); // SNAP-40: who wants it binds it
      case Found<SnapshotContent>(var content)
          when !content.meta().deleting()
              && !content.meta().hasFinalizer(SnapshotFinalizers.CONTENT_BOUND) ->
          new Act(new HoldContent(key, new Seen<>(content.meta())));
      case Found<SnapshotContent>(var content) when !marked(content) && goes(view, content) ->
          new Act(new MarkBeingDeleted(key, new Seen<>(content.meta())));
      case Found<SnapshotContent> _ -> new Settled();
    };
  }

  private static boolean marked(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotAnnotations.BEING_DELETED);
  }

  private static boolean goes(View view, SnapshotContent content) {
    return view.snapshot(content.snapshot().key())
        .found()
        .filter(snapshot -> content.snapshot().isBoundTo(snapshot.meta()))
        .filter(Deletion::isCandidate)
        .isPresent();
  }

  private static Wait untilSourceIsOne(SnapshotContent content) {
    return Wait.on(content.ref(), "spec.source")
        .since(content.meta().created())
        .until("it is replaced by one with one source")
        .remedy("a source cannot be changed: delete " + content.ref())
        .tell(
            Notice.warning(
                content.ref(),
                SnapshotEvents.CONTENT_INVALID,
                "Exactly one of VolumeHandle and SnapshotHandle should be specified"));
  }

  @Override
  public Class<SnapshotEffect> effectType() {
    return SnapshotEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.CONTENT);
  }
}

package dev.berth.controller.snapshot;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.SnapshotEffect.HoldContent;
import dev.berth.controller.snapshot.SnapshotEffect.MarkBeingDeleted;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a VolumeSnapshotContent.
final class ContentKeeperTest {
  private static final ObjectKey KEY = ObjectKey.cluster("snapcontent-uid-monday");
  private static final Draft CONTENT = Drafts.content();
  private static final World USUAL = World.of(CONTENT, Drafts.snapshot());

  static final List<Rule> rules =
      List.of(
          rule("SNAP-40", "a content that belongs to a snapshot is held")
              .given(USUAL.with(CONTENT.without("metadata.finalizers")))
              .then(act(new HoldContent(KEY, seen()))),
          rule("SNAP-40", "one that nobody has bound yet is left alone")
              .given(
                  USUAL.with(
                      CONTENT.without("metadata.finalizers").without("spec.volumeSnapshotRef.uid")))
              .then(settled()),
          rule("SNAP-40", "one without one source is told of")
              .given(USUAL.with(CONTENT.set("spec.source", "{}")))
              .thenWaits(
                  "volumesnapshotcontent/snapcontent-uid-monday",
                  "spec.source",
                  "it is replaced by one with one source",
                  Notice.warning(
                      CONTENT.as(SnapshotKinds.CONTENT).ref(),
                      "ContentValidationError",
                      "Exactly one of VolumeHandle and SnapshotHandle should be specified")),
          rule("SNAP-41", "one whose snapshot is not here stays as it is")
              .given(World.of(CONTENT))
              .then(settled()),
          rule("SNAP-40", "one whose snapshot goes hears of it")
              .given(USUAL.with(Drafts.snapshot().deleting()))
              .then(act(new MarkBeingDeleted(KEY, seen()))),
          rule("SNAP-40", "once")
              .given(
                  USUAL.with(
                      Drafts.snapshot().deleting(),
                      CONTENT.annotate(SnapshotAnnotations.BEING_DELETED, "yes")))
              .then(settled()),
          rule("SNAP-41", "one of another snapshot of that name stays as it is")
              .given(USUAL.with(Drafts.snapshot().deleting().set("metadata.uid", "another")))
              .then(settled()));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(Snapshots.contents(), rule.world(), KEY));
  }

  private static Seen<Meta> seen() {
    return new Seen<>(Meta.of(CONTENT.tree()));
  }
}

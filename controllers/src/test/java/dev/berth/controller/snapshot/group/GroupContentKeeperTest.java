package dev.berth.controller.snapshot.group;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.group.GroupEffect.HoldContent;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a VolumeGroupSnapshotContent.
final class GroupContentKeeperTest {
  private static final ObjectKey KEY = ObjectKey.cluster(Groups.CONTENT);

  static final List<Rule> rules =
      List.of(
          rule("SNAP-73", "a content that belongs to a group is held")
              .given(World.of(Groups.MADE.without("metadata.finalizers")))
              .then(act(new HoldContent(KEY, new Seen<>(Meta.of(Groups.MADE.tree()))))),
          rule("SNAP-73", "once").given(World.of(Groups.MADE)).then(settled()),
          rule("SNAP-73", "one that goes is not held any more")
              .given(World.of(Groups.MADE.without("metadata.finalizers").deleting()))
              .then(settled()),
          rule("SNAP-73", "one that nobody has bound yet is left alone")
              .given(
                  World.of(
                      Groups.MADE
                          .without("metadata.finalizers")
                          .without("spec.volumeGroupSnapshotRef.uid")))
              .then(settled()),
          rule("SNAP-74", "one without one source is told of")
              .given(World.of(Groups.MADE.set("spec.source", "{volumeHandles: []}")))
              .thenWaits(
                  "volumegroupsnapshotcontent/" + Groups.CONTENT,
                  "spec.source",
                  "it is replaced by one with one source",
                  Notice.warning(
                      Groups.MADE.as(SnapshotKinds.GROUP_CONTENT).ref(),
                      "GroupContentValidationError",
                      "Exactly one of GroupSnapshotHandles and VolumeHandles should be"
                          + " specified")));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(GroupSnapshots.contents(), rule.world(), KEY));
  }
}

package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.group.GroupEffect.HoldContent;
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
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Keeps contents that belong to a group. It deletes none.
final class GroupContentKeeper implements Decider<ObjectKey, GroupView, GroupEffect> {
  @Override
  public String name() {
    return "snapshot-controller-group-content";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(
            SnapshotKinds.GROUP_CONTENT, (change, _) -> Stream.of(change.latest().meta().key())));
  }

  @Override
  public GroupView view(Facts facts, Instant now) {
    return new GroupView(facts, now);
  }

  @Override
  public Step decide(GroupView view, ObjectKey key) {
    return switch (view.content(key.name())) {
      case Missing<GroupContent> _ -> new Settled();
      case Found<GroupContent>(var content)
          when content.handles().isPresent() == hasVolumes(content) ->
          untilSourceIsOne(content);
      case Found<GroupContent>(var content) when content.snapshot().uid().isEmpty() ->
          new Settled(); // who wants it binds it
      case Found<GroupContent>(var content)
          when !content.meta().deleting()
              && !content.meta().hasFinalizer(SnapshotFinalizers.GROUP_CONTENT_BOUND) ->
          new Act(new HoldContent(key, new Seen<>(content.meta())));
      case Found<GroupContent> _ -> new Settled();
    };
  }

  private static boolean hasVolumes(GroupContent content) {
    return content.volumeHandles().filter(handles -> !handles.isEmpty()).isPresent();
  }

  private static Wait untilSourceIsOne(GroupContent content) {
    return Wait.on(content.ref(), "spec.source")
        .since(content.meta().created())
        .until("it is replaced by one with one source")
        .remedy("a source cannot be changed: delete " + content.ref())
        .tell(
            Notice.warning(
                content.ref(),
                GroupEvents.CONTENT_INVALID,
                "Exactly one of GroupSnapshotHandles and VolumeHandles should be specified"));
  }

  @Override
  public Class<GroupEffect> effectType() {
    return GroupEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.GROUP_CONTENT);
  }
}

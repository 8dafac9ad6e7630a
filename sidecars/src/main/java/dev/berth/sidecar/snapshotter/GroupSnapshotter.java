package dev.berth.sidecar.snapshotter;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.sidecar.dispatch.Concerned;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Takes and deletes the group snapshots of one driver.
final class GroupSnapshotter implements Decider<ObjectKey, View, GroupEffect> {
  /// Those that may wait for their class: one with nothing left to be done for it does not.
  private static final Index<GroupContent> UNFINISHED_BY_CLASS =
      new Index<>(
          SnapshotKinds.GROUP_CONTENT,
          "unfinished, by driver and class",
          content ->
              isFinished(content)
                  ? List.of()
                  : content.className().map(name -> slot(content.driver(), name)).stream()
                      .toList());

  private final String driver;
  private final GroupDecision decision;

  GroupSnapshotter(String driver, SnapshotterOptions options) {
    this.driver = driver;
    decision = new GroupDecision(driver, options);
  }

  @Override
  public String name() {
    return "group-snapshotter/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Concerned.OF_GROUP_CONTENT.share(driver), this::ofContent),
        Trigger.on(SnapshotKinds.GROUP_CLASS, this::ofClass),
        Trigger.none(Questions.TOPIC)); // a wait says when to ask again
  }

  private Stream<ObjectKey> ofContent(Change<GroupContent> change, Snapshot objects) {
    var content = change.latest();
    return content.driver().equals(driver) ? Stream.of(content.meta().key()) : Stream.empty();
  }

  private Stream<ObjectKey> ofClass(Change<SnapshotClass> change, Snapshot objects) {
    return objects.by(UNFINISHED_BY_CLASS, slot(driver, change.latest().meta().name())).stream()
        .map(content -> content.meta().key());
  }

  /// One that is ready still waits if it is being deleted, or if its mark is to go.
  private static boolean isFinished(GroupContent content) {
    return content.isReady() && !content.meta().deleting() && !GroupDecision.marked(content);
  }

  /// Neither can have a slash.
  private static String slot(String driver, String className) {
    return driver + "/" + className;
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Questions.TOPIC), now);
  }

  @Override
  public Step decide(View view, ObjectKey content) {
    return decision.decide(view, content);
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

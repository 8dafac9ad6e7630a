package dev.berth.controller.snapshot.group;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import java.util.Optional;

/// Whether a content is the group's.
final class GroupMatch {
  private GroupMatch() {}

  /// What is wrong with a content that the group names or that bears the name of one made for it;
  /// empty: nothing.
  static Optional<GroupComplaint> complaint(GroupSnapshot group, GroupContent content) {
    return group.contentName().isPresent() ? existing(group, content) : made(group, content);
  }

  private static Optional<GroupComplaint> existing(GroupSnapshot group, GroupContent content) {
    var name = content.meta().name();
    if (content.handles().isEmpty())
      return Optional.of(
          GroupComplaint.of(
                  GroupEvents.CONTENT_MISMATCH,
                  "VolumeGroupSnapshotContent is dynamically provisioned while expecting a"
                      + " pre-provisioned one",
                  replaced(group, content, "it is one that has groupSnapshotHandles"))
              .beforeFinalizers(
                  "group snapshot %s expects a pre-provisioned VolumeGroupSnapshotContent %s but gets a dynamically provisioned one"
                      .formatted(group.meta().key(), name)));
    return content.snapshot().isFor(group.meta())
        ? Optional.empty()
        : Optional.of(different(group, content));
  }

  private static Optional<GroupComplaint> made(GroupSnapshot group, GroupContent content) {
    var name = content.meta().name();
    if (content.handles().isPresent())
      return Optional.of(
          GroupComplaint.of(
                  GroupEvents.CONTENT_MISMATCH,
                  "VolumeGroupSnapshotContent %s is pre-provisioned while expecting a dynamically provisioned one"
                      .formatted(name),
                  replaced(group, content, "it is one that has volumeHandles"))
              .beforeFinalizers(
                  "group snapshot %s expects a dynamically provisioned VolumeGroupSnapshotContent %s but gets a pre-provisioned one"
                      .formatted(group.meta().key(), name)));
    return content.snapshot().isBoundTo(group.meta())
        ? Optional.empty()
        : Optional.of(different(group, content));
  }

  private static GroupComplaint different(GroupSnapshot group, GroupContent content) {
    var message =
        "VolumeGroupSnapshotContent [%s] is bound to a different group snapshot"
            .formatted(content.meta().name());
    return GroupComplaint.of(
            GroupEvents.CONTENT_MISBOUND,
            message,
            replaced(group, content, "it is for group " + group.meta().key()))
        .beforeFinalizers(message);
  }

  static GroupComplaint misbound(GroupSnapshot group, GroupContent content) {
    return GroupComplaint.of(
        GroupEvents.MISBOUND,
        "VolumeGroupSnapshotContent is not bound to the VolumeGroupSnapshot correctly",
        replaced(group, content, "it is bound to group " + group.meta().key()));
  }

  private static Wait replaced(GroupSnapshot group, GroupContent content, String until) {
    return Wait.on(content.ref(), "spec.volumeGroupSnapshotRef")
        .since(group.meta().created())
        .until(until)
        .remedy("delete %s, or make a content that is meant for it".formatted(group.ref()));
  }

  /// A group that was taken once is not taken again under its name.
  static GroupComplaint untilContentReturns(GroupSnapshot group, Ref content) {
    return GroupComplaint.of(
        GroupEvents.CONTENT_MISSING,
        "VolumeGroupSnapshotContent is missing",
        Wait.on(content)
            .since(group.meta().created())
            .until("content %s exists".formatted(content.key().name()))
            .remedy(
                "create the VolumeGroupSnapshotContent, with the handles of the group, or delete "
                    + group.ref()));
  }
}

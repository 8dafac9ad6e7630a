package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.group.GroupEffect.Bind;
import dev.berth.controller.snapshot.group.GroupEffect.HoldClaim;
import dev.berth.controller.snapshot.group.GroupEffect.HoldGroup;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import java.util.Optional;

/// Takes one VolumeGroupSnapshot to where its author wants it: the first line that applies is the
/// step.
final class GroupDecision {
  private GroupDecision() {}

  static Step decide(GroupView view, ObjectKey key) {
    return switch (view.group(key)) {
      case Missing<GroupSnapshot> _ -> new Settled();
      case Found<GroupSnapshot>(var group) ->
          GroupClass.step(view, group)
              .or(() -> GroupDeletion.step(view, group)) // SNAP-75
              .or(() -> validate(view, group))
              .or(() -> match(view, group))
              .orElseGet(() ->
                  group.isReady()
                      ? keep(view, group)
                      : group
                          .contentName()
                          .map(name -> bindExisting(view, group, name))
                          .orElseGet(() -> take(view, group)));
    };
  }

  private static Optional<Step> validate(GroupView view, GroupSnapshot group) {
    if (group.selector().isPresent() != group.contentName().isPresent()) return Optional.empty();
    return Optional.of(
        GroupComplaint.of(
                GroupEvents.VALIDATION,
                "Exactly one of Selector and VolumeGroupSnapshotContentName should be specified",
                Wait.on(group.ref(), "spec.source")
                    .since(group.meta().created())
                    .until("it is replaced by one with one source")
                    .remedy("a source cannot be changed: delete " + group.ref()))
            .about(group, view.now()));
  }

  /// The content is found to be the group's, and the group is held as long as it has it.
  private static Optional<Step> match(GroupView view, GroupSnapshot group) {
    var content = view.named(group);
    var wrong = content.flatMap(it -> GroupMatch.complaint(group, it));
    if (wrong.isPresent()) return wrong.map(it -> it.about(group, view.now()));
    var meta = group.meta();
    return content.isEmpty() || meta.hasFinalizer(SnapshotFinalizers.GROUP_SNAPSHOT_BOUND)
        ? Optional.empty()
        : Optional.of(new Act(new HoldGroup(meta.key(), new Seen<>(meta))));
  }

  private static Step keep(GroupView view, GroupSnapshot group) {
    return switch (view.content(group.boundContent().orElseThrow())) {
      case Missing<GroupContent>(var missing) ->
          GroupMatch.untilContentReturns(group, missing).about(group, view.now());
      case Found<GroupContent>(var content) when !content.snapshot().isBoundTo(group.meta()) ->
          GroupMatch.misbound(group, content).about(group, view.now());
      case Found<GroupContent> _ -> new Settled();
    };
  }

  private static Step bindExisting(GroupView view, GroupSnapshot group, String name) {
    return switch (view.content(name)) {
      case Missing<GroupContent>(var missing) ->
          GroupMatch.untilContentReturns(group, missing).about(group, view.now());
      case Found<GroupContent>(var content) when wantsBinding(group, content) ->
          new Act(new Bind(Revision.of(content.meta()), group.meta().uid(), group.className()));
      case Found<GroupContent>(var content) -> follow(group, content);
    };
  }

  private static boolean wantsBinding(GroupSnapshot group, GroupContent content) {
    return content.snapshot().uid().isEmpty()
        || content.className().isEmpty() && group.className().isPresent();
  }

  /// SNAP-71; SNAP-73: its snapshots come before it says that it is ready.
  private static Step take(GroupView view, GroupSnapshot group) {
    return switch (view.content(GroupContent.name(group.meta().uid()))) {
      case Found<GroupContent>(var content) ->
          Members.missing(view, group, content)
              .or(() -> loose(view, content))
              .<Step>map(Act::new)
              .orElseGet(() -> follow(group, content));
      case Missing<GroupContent>(var missing) when group.shown().creationTime().isPresent() ->
          GroupMatch.untilContentReturns(group, missing).about(group, view.now());
      case Missing<GroupContent> _ ->
          GroupCreation.step(
              view,
              group,
              group.className().flatMap(name -> view.groupClass(name).found()).orElseThrow());
    };
  }

  /// A claim that is not held though a group is being taken of it: who let go of it had not seen
  /// the group yet.
  private static Optional<HoldClaim> loose(GroupView view, GroupContent content) {
    return content.isReady() ? Optional.empty() : GroupCreation.loose(view.sources(content));
  }

  private static Step follow(GroupSnapshot group, GroupContent content) {
    return GroupStatus.step(group, content).orElseGet(() -> GroupStatus.untilReady(group, content));
  }
}

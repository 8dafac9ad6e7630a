package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.group.GroupEffect.SetClass;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.volume.Translation;
import dev.berth.volume.snapshot.GoWords;
import java.util.Optional;

/// A group's class: the one that it names, or the default one of its first volume's driver.
final class GroupClass {
  private GroupClass() {}

  /// What is to be done before anything else; empty: nothing. A group that goes needs no class.
  static Optional<Step> step(GroupView view, GroupSnapshot group) {
    if (group.meta().deleting()) return Optional.empty();
    if (group.className().isPresent()) return named(view, group, group.className().get());
    if (group.contentName().isPresent() || group.selector().isEmpty()) return Optional.empty();
    return switch (GroupOrigin.of(view, group)) {
      case GroupOrigin.Unknown(var why, var until) -> failed(view, group, why, until);
      case GroupOrigin.Known(var volumes) ->
          Translation.NONE
              .source(volumes.getFirst())
              .map(source -> ofDriver(view, group, source.driver()))
              .orElseGet(() ->
                  failed(
                      view,
                      group,
                      "snapshotting non-CSI volumes is not supported, group snapshot:"
                          + group.meta().key(),
                      GroupCreation.untilForeignGoes(group, volumes.getFirst())));
    };
  }

  private static Optional<Step> named(GroupView view, GroupSnapshot group, String name) {
    return switch (view.groupClass(name)) {
      case Found<SnapshotClass> _ -> Optional.empty();
      case Missing<SnapshotClass>(var missing) ->
          Optional.of(
              GroupComplaint.of(
                      GroupEvents.CLASS_FAILED,
                      "failed to get group snapshot class with error " + GoWords.notListed(missing),
                      Wait.on(missing)
                          .since(group.meta().created())
                          .until("group snapshot class %s exists".formatted(name))
                          .remedy("create the VolumeGroupSnapshotClass"))
                  .harmless()
                  .about(group, view.now()));
    };
  }

  private static Optional<Step> ofDriver(GroupView view, GroupSnapshot group, String driver) {
    var found = view.defaultClasses(driver);
    if (found.size() == 1)
      return Optional.of(
          new Act(new SetClass(Revision.of(group.meta()), found.getFirst().meta().name())));
    var any = SnapshotKinds.GROUP_CLASS.ref(ObjectKey.cluster("*"));
    var on =
        Wait.on(found.isEmpty() ? any : found.getFirst().ref(), "metadata.annotations")
            .since(group.meta().created());
    return found.isEmpty()
        ? failed(
            view,
            group,
            "cannot find default group snapshot class",
            on.until("there is a default group snapshot class of driver " + driver)
                .remedy("name a class in the group, or annotate one as default"))
        : failed(
            view,
            group,
            found.size() + " default snapshot classes were found",
            on.until("there is only one default group snapshot class of driver " + driver)
                .remedy("name a class in the group, or take the annotation off all but one"));
  }

  private static Optional<Step> failed(
      GroupView view, GroupSnapshot group, String why, Wait until) {
    return Optional.of(
        GroupComplaint.of(
                GroupEvents.DEFAULT_CLASS_FAILED,
                "Failed to set default group snapshot class with error " + why,
                until)
            .harmless()
            .about(group, view.now()));
  }
}

package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.SnapshotEffect.SetClass;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.volume.snapshot.GoWords;
import java.util.Optional;

/// A snapshot's class: the one that it names, or the default one of its volume's driver (SNAP-20).
final class DefaultClass {
  private DefaultClass() {}

  /// What is to be done before anything else; empty: nothing. A snapshot that goes needs no class.
  static Optional<Step> step(View view, VolumeSnapshot snapshot) {
    if (snapshot.meta().deleting()) return Optional.empty();
    if (snapshot.className().isPresent()) return named(view, snapshot, snapshot.className().get());
    if (snapshot.contentName().isPresent() || Membership.owner(snapshot).isPresent())
      return Optional.empty();
    return switch (Origin.of(view, snapshot)) {
      case Origin.Unknown(var why, var until) -> failed(view, snapshot, why, until);
      case Origin.Foreign(_, var until) ->
          failed(
              view,
              snapshot,
              "snapshotting non-CSI volumes is not supported, snapshot:" + snapshot.meta().key(),
              until);
      case Origin.Known(_, _, var source) -> ofDriver(view, snapshot, source.driver());
    };
  }

  private static Optional<Step> named(View view, VolumeSnapshot snapshot, String name) {
    return switch (view.snapshotClass(name)) {
      case Found<SnapshotClass> _ -> Optional.empty();
      case Missing<SnapshotClass>(var missing) ->
          Optional.of(
              Complaint.of(
                      SnapshotEvents.CLASS_FAILED,
                      "Failed to get snapshot class with error " + GoWords.notListed(missing),
                      Wait.on(missing)
                          .since(snapshot.meta().created())
                          .until("snapshot class %s exists".formatted(name))
                          .remedy("create the VolumeSnapshotClass"))
                  .harmless()
                  .about(snapshot, view.now()));
    };
  }

  private static Optional<Step> ofDriver(View view, VolumeSnapshot snapshot, String driver) {
    var found = view.defaultClasses(driver);
    if (found.size() == 1)
      return Optional.of(
          new Act(new SetClass(Revision.of(snapshot.meta()), found.getFirst().meta().name())));
    var any = SnapshotKinds.CLASS.ref(ObjectKey.cluster("*"));
    var on =
        Wait.on(found.isEmpty() ? any : found.getFirst().ref(), "metadata.annotations")
            .since(snapshot.meta().created());
    return found.isEmpty()
        ? failed(
            view,
            snapshot,
            "cannot find default snapshot class",
            on.until("there is a default snapshot class of driver " + driver)
                .remedy("name a class in the snapshot, or annotate one as default"))
        : failed(
            view,
            snapshot,
            found.size() + " default snapshot classes were found",
            on.until("there is only one default snapshot class of driver " + driver)
                .remedy("name a class in the snapshot, or take the annotation off all but one"));
  }

  private static Optional<Step> failed(View view, VolumeSnapshot snapshot, String why, Wait until) {
    return Optional.of(
        Complaint.of(
                SnapshotEvents.DEFAULT_CLASS_FAILED,
                "Failed to set default snapshot class with error " + why,
                until)
            .harmless()
            .about(snapshot, view.now()));
  }
}

package dev.berth.controller.snapshot;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.util.Optional;

/// Whether a content is the snapshot's.
final class Match {
  private Match() {}

  /// The content that the snapshot names, or that bears the name of one made for it.
  static Optional<SnapshotContent> content(View view, VolumeSnapshot snapshot) {
    return view.content(
            snapshot.contentName().orElseGet(() -> SnapshotContent.name(snapshot.meta().uid())))
        .found();
  }

  /// What is wrong with such a content; empty: nothing.
  static Optional<Complaint> complaint(VolumeSnapshot snapshot, SnapshotContent content) {
    return snapshot.contentName().isPresent()
        ? existing(snapshot, content)
        : made(snapshot, content);
  }

  /// SNAP-25.
  private static Optional<Complaint> existing(VolumeSnapshot snapshot, SnapshotContent content) {
    var name = content.meta().name();
    if (content.snapshotHandle().isEmpty())
      return Optional.of(
          Complaint.of(
                  SnapshotEvents.CONTENT_MISMATCH,
                  "VolumeSnapshotContent is dynamically provisioned while expecting a"
                      + " pre-provisioned one",
                  replaced(snapshot, content, "it is one that has a snapshotHandle"))
              .beforeFinalizers(
                  "snapshot %s expects a pre-provisioned VolumeSnapshotContent %s but gets a dynamically provisioned one"
                      .formatted(snapshot.meta().key(), name)));
    return content.snapshot().isFor(snapshot.meta())
        ? Optional.empty()
        : Optional.of(different(snapshot, content));
  }

  /// SNAP-27.
  private static Optional<Complaint> made(VolumeSnapshot snapshot, SnapshotContent content) {
    var name = content.meta().name();
    if (content.volumeHandle().isEmpty())
      return Optional.of(
          Complaint.of(
                  SnapshotEvents.CONTENT_MISMATCH,
                  "VolumeSnapshotContent %s is pre-provisioned while expecting a dynamically provisioned one"
                      .formatted(name),
                  replaced(snapshot, content, "it is one that has a volumeHandle"))
              .beforeFinalizers(
                  "snapshot %s expects a dynamically provisioned VolumeSnapshotContent %s but gets a pre-provisioned one"
                      .formatted(snapshot.meta().key(), name)));
    return content.snapshot().isBoundTo(snapshot.meta())
        ? Optional.empty()
        : Optional.of(different(snapshot, content));
  }

  private static Complaint different(VolumeSnapshot snapshot, SnapshotContent content) {
    var message =
        "VolumeSnapshotContent [%s] is bound to a different snapshot"
            .formatted(content.meta().name());
    return Complaint.of(
            SnapshotEvents.CONTENT_MISBOUND,
            message,
            replaced(snapshot, content, "it is for snapshot " + snapshot.meta().key()))
        .beforeFinalizers(message);
  }

  /// SNAP-34.
  static Complaint misbound(VolumeSnapshot snapshot, SnapshotContent content) {
    return Complaint.of(
        SnapshotEvents.MISBOUND,
        "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly",
        replaced(snapshot, content, "it is bound to snapshot " + snapshot.meta().key()));
  }

  private static Wait replaced(VolumeSnapshot snapshot, SnapshotContent content, String until) {
    return Wait.on(content.ref(), "spec.volumeSnapshotRef")
        .since(snapshot.meta().created())
        .until(until)
        .remedy("delete %s, or make a content that is meant for it".formatted(snapshot.ref()));
  }

  /// A snapshot that was taken once is not taken again under its name: it would show another moment
  /// than it says.
  static Complaint untilContentReturns(VolumeSnapshot snapshot, Ref content) {
    return Complaint.of(
        SnapshotEvents.CONTENT_MISSING,
        "VolumeSnapshotContent is missing",
        Wait.on(content)
            .since(snapshot.meta().created())
            .until("content %s exists".formatted(content.key().name()))
            .remedy(
                "create the VolumeSnapshotContent, with the handle of the snapshot, or delete "
                    + snapshot.ref()));
  }
}

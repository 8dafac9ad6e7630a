package dev.berth.sidecar.snapshotter;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotContent;
import java.util.Optional;

/// What the snapshotter can do.
sealed interface SnapshotEffect extends Effect {
  /// Marks the content, has the driver take the snapshot, tells its answer in the content's status
  /// and takes the mark off.
  ///
  /// @param request without secrets
  record Take(
      ObjectKey content,
      CreateSnapshotRequest request,
      Optional<SecretRef> secret,
      Seen<SnapshotContent> seen)
      implements SnapshotEffect {}

  /// Asks the driver how a snapshot stands that it has, and tells it in the content's status.
  record LookUp(
      ObjectKey content, String handle, Optional<Secret> secret, Seen<SnapshotContent> seen)
      implements SnapshotEffect {}

  /// Asks the driver of a node whether the snapshot is there, and if it is, has the node take care
  /// of it from now on.
  record Adopt(ObjectKey content, String node, Optional<Secret> secret, Seen<SnapshotContent> seen)
      implements SnapshotEffect {}

  /// Has the driver delete the snapshot, forgets its handle and lets go of the content.
  record Remove(
      ObjectKey content, String handle, Optional<SecretRef> secret, Seen<SnapshotContent> seen)
      implements SnapshotEffect {}

  /// Lets go of a content behind which nothing is to be deleted.
  record LetGo(ObjectKey content, Seen<SnapshotContent> seen) implements SnapshotEffect {}

  /// The outcome is known: takes the mark off.
  record Unmark(ObjectKey content, Seen<SnapshotContent> seen) implements SnapshotEffect {}

  /// Tells in the content's status and in an event what keeps the snapshot from being taken.
  record Report(ObjectKey content, String message, Seen<SnapshotContent> seen)
      implements SnapshotEffect {}

  /// A Secret and where it is named, which decides how its absence is told.
  record Secret(SecretRef ref, Origin origin) {}

  /// Where a Secret is named.
  enum Origin {
    CLASS,
    ANNOTATION
  }
}

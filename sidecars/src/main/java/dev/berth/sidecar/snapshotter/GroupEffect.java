package dev.berth.sidecar.snapshotter;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import java.util.Optional;

/// What can be done to snapshots of several volumes at once; requests are without secrets.
sealed interface GroupEffect extends Effect {
  /// Marks the content, has the driver take the group, tells its answer and takes the mark off.
  record TakeGroup(
      ObjectKey content,
      CreateVolumeGroupSnapshotRequest request,
      Optional<SecretRef> secret,
      Seen<GroupContent> seen)
      implements GroupEffect {}

  /// Asks the driver how a group stands that exists already, and tells it.
  record LookUpGroup(
      ObjectKey content,
      GetVolumeGroupSnapshotRequest request,
      Optional<SecretRef> secret,
      Seen<GroupContent> seen)
      implements GroupEffect {}

  /// Has the driver delete the group, forgets its handle and lets go of the content.
  record RemoveGroup(
      ObjectKey content,
      DeleteVolumeGroupSnapshotRequest request,
      Optional<SecretRef> secret,
      Seen<GroupContent> seen)
      implements GroupEffect {}

  /// Lets go of a content behind which nothing is to be deleted.
  record LetGoOfGroup(ObjectKey content, Seen<GroupContent> seen) implements GroupEffect {}

  /// The outcome is known: takes the mark off.
  record UnmarkGroup(ObjectKey content, Seen<GroupContent> seen) implements GroupEffect {}

  /// Tells in the content's status and in an event what keeps the group from being taken.
  record ReportGroup(ObjectKey content, String why, Seen<GroupContent> seen)
      implements GroupEffect {}
}

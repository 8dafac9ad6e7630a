package dev.berth.sidecar.snapshotter;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.kube.event.Notice;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.volume.snapshot.GoWords;

/// How a content's status and events tell what went wrong, in upstream's words (SNAP-63).
final class SnapshotWords {
  private SnapshotWords() {}

  /// Reason of the event: the first failure to take one has another than those that follow.
  static String reason(SnapshotContent content) {
    return isBeingTaken(content) ? Reasons.SNAPSHOT_CREATION_FAILED : Reasons.SNAPSHOT_CHECK_FAILED;
  }

  /// The whole message.
  static String message(SnapshotContent content, String why) {
    return isBeingTaken(content)
        ? "Failed to create snapshot: " + why
        : "Failed to check and update snapshot content: " + why;
  }

  /// One that was made beforehand is looked at from the beginning (SNAP-64).
  private static boolean isBeingTaken(SnapshotContent content) {
    return content.status().isEmpty() && content.snapshotHandle().isEmpty();
  }

  /// After a call that was not answered (SNAP-57). There is none, if the driver keeps to CSI.
  static Notice mayBeLeft(SnapshotContent content, CreateSnapshotRequest refused) {
    return Notice.warning(
        content.ref(),
        Reasons.SNAPSHOT_MAY_BE_LEFT,
        "the driver has refused snapshot %s of volume %s after an attempt that it had not answered: if it holds a snapshot of that name, nobody else knows of it once the content is deleted"
            .formatted(refused.getName(), refused.getSourceVolumeId()));
  }

  static String noInput(String content, String why) {
    return "failed to get input parameters to create snapshot for content %s: %s"
        .formatted(content, GoWords.quoted(why));
  }

  static String secretUnread(String content) {
    return "cannot get credentials for snapshot content " + GoWords.quoted(content);
  }

  static String secretUnnamed(String content) {
    return "cannot retrieve secrets for snapshot content %s, err: secret name or namespace not specified"
        .formatted(GoWords.quoted(content));
  }
}

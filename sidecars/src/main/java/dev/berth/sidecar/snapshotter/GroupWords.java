package dev.berth.sidecar.snapshotter;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.kube.event.Notice;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.volume.snapshot.GoWords;

/// How a group content's status and events tell what went wrong, in upstream's words (SNAP-74).
final class GroupWords {
  private GroupWords() {}

  static String reason(GroupContent content) {
    return content.status().isEmpty()
        ? Reasons.GROUP_SNAPSHOT_CREATION_FAILED
        : Reasons.GROUP_SNAPSHOT_CHECK_FAILED;
  }

  static String message(GroupContent content, String why) {
    return content.status().isEmpty()
        ? "Failed to create group snapshot: " + why
        : "Failed to check and update group snapshot content: " + why;
  }

  /// After a call that was not answered (SNAP-57). There are none, if the driver keeps to CSI.
  static Notice mayBeLeft(GroupContent content, CreateVolumeGroupSnapshotRequest refused) {
    return Notice.warning(
        content.ref(),
        Reasons.SNAPSHOT_MAY_BE_LEFT,
        "the driver has refused group snapshot %s of volumes %s after an attempt that it had not answered: if it holds snapshots of that name, nobody else knows of them once the content is deleted"
            .formatted(refused.getName(), String.join(", ", refused.getSourceVolumeIdsList())));
  }

  static String noInput(String content, String why) {
    return "failed to get input parameters to create group snapshot for group snapshot content %s: %s"
        .formatted(content, GoWords.quoted(why));
  }

  static String secretUnnamed(String content) {
    return "cannot retrieve secrets for group snapshot content %s, err: secret name or namespace not specified"
        .formatted(GoWords.quoted(content));
  }

  static String secretUnread(String content) {
    return "cannot get credentials for group snapshot content " + GoWords.quoted(content);
  }
}

package dev.berth.sidecar.snapshotter;

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

  static String noInput(String content, String why) {
    return "failed to get input parameters to create group snapshot for group snapshot content %s: %s"
        .formatted(content, GoWords.quoted(why));
  }

  static String secretUnread(String content) {
    return "cannot get credentials for group snapshot content " + GoWords.quoted(content);
  }
}

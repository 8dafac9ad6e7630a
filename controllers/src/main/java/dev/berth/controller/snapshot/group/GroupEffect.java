package dev.berth.controller.snapshot.group;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What the snapshot controller can do about groups.
sealed interface GroupEffect extends Effect {
  /// Names a class for a group whose author named none.
  record SetClass(Revision group, String className) implements GroupEffect {}

  /// Keeps a claim as long as a group is being taken of it.
  record HoldClaim(ObjectKey claim, String uid) implements GroupEffect {}

  record HoldGroup(ObjectKey group, Seen<Meta> seen) implements GroupEffect {}

  record ReleaseGroup(ObjectKey group, Seen<Meta> seen) implements GroupEffect {}

  record HoldContent(ObjectKey content, Seen<Meta> seen) implements GroupEffect {}

  /// Says on a content that its group goes.
  record MarkBeingDeleted(ObjectKey content, Seen<Meta> seen) implements GroupEffect {}

  /// @param group to tell of it if it cannot be deleted
  record DeleteContent(ObjectKey content, String uid, Ref group) implements GroupEffect {}

  /// Gives a content that exists already to the group for which it is reserved.
  record Bind(Revision content, String groupUid, Optional<String> className)
      implements GroupEffect {}

  /// Creates a content, which asks the driver for a group.
  ///
  /// @param about whose it is
  /// @param shown the error that it shows already
  record MakeContent(
      Revision group,
      Ref about,
      ObjectNode content,
      Seen<Optional<String>> shown,
      Seen<Instant> now)
      implements GroupEffect {}

  /// Creates the content of one snapshot of a group.
  record MakeMemberContent(ObjectNode content) implements GroupEffect {}

  /// Creates one snapshot of a group.
  record MakeMember(ObjectNode snapshot) implements GroupEffect {}

  record BindMemberContent(Revision content, String snapshotUid) implements GroupEffect {}

  record BindMember(Revision snapshot, String contentName) implements GroupEffect {}

  /// Tells in a member's content what is known of the snapshot.
  record FillMemberContent(Revision content, ObjectNode status) implements GroupEffect {}

  /// Deletes the content of a member that never came to be: its snapshot goes with the group.
  record DropMemberContent(ObjectKey content, String uid) implements GroupEffect {}

  /// @param group to tell of it if it cannot be deleted
  record DeleteMember(ObjectKey snapshot, String uid, Ref group) implements GroupEffect {}

  /// Tells in the group's status what its content says.
  ///
  /// @param status members that change, as a merge patch has them
  record CopyStatus(Revision group, ObjectNode status, List<Notice> news) implements GroupEffect {
    public CopyStatus {
      news = List.copyOf(news);
    }
  }

  /// Tells in the group's status and in events what is wrong.
  ///
  /// @param unready whether the group is no longer ready for that
  record Report(
      Revision group, String message, boolean unready, List<Notice> news, Seen<Instant> now)
      implements GroupEffect {
    public Report {
      news = List.copyOf(news);
    }
  }
}

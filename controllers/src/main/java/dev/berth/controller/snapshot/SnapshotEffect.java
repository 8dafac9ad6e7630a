package dev.berth.controller.snapshot;

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

/// What the snapshot controller can do.
sealed interface SnapshotEffect extends Effect {
  /// Names a class for a snapshot whose author named none.
  record SetClass(Revision snapshot, String className) implements SnapshotEffect {}

  /// Keeps a claim as long as a snapshot is being taken of it.
  record HoldClaim(ObjectKey claim, String uid) implements SnapshotEffect {}

  /// Lets go of a claim of which no snapshot is being taken.
  ///
  /// @param but a snapshot that counts no more, as it goes
  record ReleaseClaim(ObjectKey claim, String uid, Optional<ObjectKey> but)
      implements SnapshotEffect {}

  record HoldSnapshot(ObjectKey snapshot, List<String> finalizers, Seen<Meta> seen)
      implements SnapshotEffect {
    public HoldSnapshot {
      finalizers = List.copyOf(finalizers);
    }
  }

  record ReleaseSnapshot(ObjectKey snapshot, List<String> finalizers, Seen<Meta> seen)
      implements SnapshotEffect {
    public ReleaseSnapshot {
      finalizers = List.copyOf(finalizers);
    }
  }

  record HoldContent(ObjectKey content, Seen<Meta> seen) implements SnapshotEffect {}

  /// Says on a content that its snapshot goes.
  record MarkBeingDeleted(ObjectKey content, Seen<Meta> seen) implements SnapshotEffect {}

  record DeleteContent(ObjectKey content, String uid, Ref snapshot) implements SnapshotEffect {}

  /// Gives a content that exists already to the snapshot for which it is reserved.
  record Bind(Revision content, String snapshotUid, Optional<String> className)
      implements SnapshotEffect {}

  /// Creates a content, which asks the driver for a snapshot.
  ///
  /// @param snapshot whose it is
  /// @param shown the error that it shows already
  record MakeContent(
      Revision snapshot,
      Ref about,
      ObjectNode content,
      Seen<Optional<String>> shown,
      Seen<Instant> now)
      implements SnapshotEffect {}

  /// Makes a snapshot the group's that it was taken with.
  record AddOwner(ObjectKey snapshot, Ref group, Seen<Meta> seen) implements SnapshotEffect {}

  /// Tells in the snapshot's status what its content says.
  ///
  /// @param status members that change, as a merge patch has them
  record CopyStatus(Revision snapshot, ObjectNode status, List<Notice> news)
      implements SnapshotEffect {
    public CopyStatus {
      news = List.copyOf(news);
    }
  }

  /// Tells in the snapshot's status and in events what is wrong.
  ///
  /// @param unready whether the snapshot is no longer ready for that
  record Report(
      Revision snapshot, String message, boolean unready, List<Notice> news, Seen<Instant> now)
      implements SnapshotEffect {
    public Report {
      news = List.copyOf(news);
    }
  }
}

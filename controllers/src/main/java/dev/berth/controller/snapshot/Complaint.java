package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.SnapshotEffect.Report;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is wrong with a snapshot, as its status and events tell it, and what ends it.
///
/// @param reason of the event
/// @param unready whether the snapshot is no longer ready for that
/// @param further reason and message of a second event; empty: there is none
record Complaint(
    String reason, String message, boolean unready, Optional<String> further, Wait until) {

  static Complaint of(String reason, String message, Wait until) {
    return new Complaint(reason, message, true, Optional.empty(), until);
  }

  /// What leaves a ready snapshot ready (SNAP-33).
  Complaint harmless() {
    return new Complaint(reason, message, false, further, until);
  }

  /// It also keeps finalizers from being looked after, which upstream tells too (SNAP-23).
  Complaint beforeFinalizers(String why) {
    return new Complaint(reason, message, unready, Optional.of(why), until);
  }

  /// Told once, and then waited out (SNAP-33).
  Step about(VolumeSnapshot snapshot, Instant now) {
    var shown = snapshot.shown().error().flatMap(error -> error.message());
    if (shown.equals(Optional.of(message))) return until;
    var news = new ArrayList<>(List.of(Notice.warning(snapshot.ref(), reason, message)));
    further.ifPresent(why ->
        news.add(
            Notice.warning(
                snapshot.ref(),
                SnapshotEvents.FINALIZER,
                "Failed to check and update snapshot: " + why)));
    return new Act(
            new Report(Revision.of(snapshot.meta()), message, unready, news, new Seen<>(now)))
        .then(until);
  }
}

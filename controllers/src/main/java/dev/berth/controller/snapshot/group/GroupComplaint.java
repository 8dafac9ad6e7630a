package dev.berth.controller.snapshot.group;

import dev.berth.controller.snapshot.group.GroupEffect.Report;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.snapshot.GroupSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with a group, as its status and events tell it, and what ends it.
///
/// @param reason of the event
/// @param unready whether the group is no longer ready for that
/// @param before events that upstream tells too, ahead of this one
/// @param after events that upstream tells too, behind it
record GroupComplaint(
    String reason,
    String message,
    boolean unready,
    List<Told> before,
    List<Told> after,
    Wait until) {

  /// One more event.
  record Told(String reason, String message) {}

  static GroupComplaint of(String reason, String message, Wait until) {
    return new GroupComplaint(reason, message, true, List.of(), List.of(), until);
  }

  /// What leaves a ready group ready (SNAP-33).
  GroupComplaint harmless() {
    return new GroupComplaint(reason, message, false, before, after, until);
  }

  GroupComplaint behind(String otherReason, String why) {
    return new GroupComplaint(
        reason, message, unready, List.of(new Told(otherReason, why)), after, until);
  }

  /// It also keeps finalizers from being looked after, which upstream tells too.
  GroupComplaint beforeFinalizers(String why) {
    var told = new Told(GroupEvents.FINALIZER, "Failed to check and update group snapshot: " + why);
    return new GroupComplaint(reason, message, unready, before, List.of(told), until);
  }

  /// Told once, and then waited out (SNAP-33).
  Step about(GroupSnapshot group, Instant now) {
    if (group.shown().says(message)) return until;
    var news = new ArrayList<Notice>();
    before.forEach(it -> news.add(Notice.warning(group.ref(), it.reason(), it.message())));
    news.add(Notice.warning(group.ref(), reason, message));
    after.forEach(it -> news.add(Notice.warning(group.ref(), it.reason(), it.message())));
    return new Act(new Report(Revision.of(group.meta()), message, unready, news, new Seen<>(now)))
        .then(until);
  }
}

package dev.berth.sidecar.snapshotter;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.snapshotter.GroupEffect.LetGoOfGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.LookUpGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.RemoveGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.ReportGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.TakeGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.UnmarkGroup;
import dev.berth.volume.request.SecretReader;
import dev.berth.volume.snapshot.GoWords;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes groups of snapshots, deletes them, and tells how it went.
final class GroupEffects implements Effects<GroupEffect> {
  private static final Logger log = LoggerFactory.getLogger(GroupEffects.class);

  private final GroupControllerCalls calls;
  private final EventRecorder events;
  private final Time time;
  private final SecretReader secrets;
  private final Turns turns;
  private final GroupContents contents;
  private final Questions questions;

  private final Untold<VolumeGroupSnapshot> untold = new Untold<>();

  GroupEffects(
      GroupControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time,
      Turns turns,
      Questions questions) {
    this.turns = turns;
    this.calls = calls;
    this.events = events;
    this.time = time;
    this.questions = questions;
    secrets = new SecretReader(api);
    contents = new GroupContents(api, time);
  }

  @Override
  public void carryOut(GroupEffect effect) throws InterruptedException {
    switch (effect) {
      case TakeGroup take -> take(take);
      case LookUpGroup look -> lookUp(look);
      case RemoveGroup remove -> remove(remove);
      case LetGoOfGroup(_, var seen) -> {
        untold.over(seen.object().meta().uid());
        contents.letGo(seen.object());
      }
      case UnmarkGroup(_, var seen) -> contents.unmark(seen.object());
      case ReportGroup(_, var message, var seen) -> report(seen.object(), message);
    }
  }

  /// Mark, call, status, mark off, in this order.
  private void take(TakeGroup effect) throws InterruptedException {
    var seen = effect.seen().object();
    var name = seen.meta().name();
    var texts =
        secret(seen, effect.secret(), GroupWords.noInput(name, GroupWords.secretUnread(name)));
    var content = contents.mark(seen);
    VolumeGroupSnapshot taken;
    try {
      var request = effect.request().toBuilder().putAllSecrets(texts).build();
      taken =
          untold.answer(
              content.meta().uid(),
              () ->
                  turns.take(
                      request.getSourceVolumeIdsList(),
                      () -> taken(calls.createVolumeGroupSnapshot(request).getGroupSnapshot())));
    } catch (CsiException failure) {
      if (GroupDecision.marked(seen) && !failure.uncertainOrExhausted())
        events.tell(GroupWords.mayBeLeft(content, effect.request()));
      var settled = failure.uncertainOrExhausted() ? content : contents.unmark(content); // SNAP-62
      tell(
          settled,
          "failed to take group snapshot of the volumes [%s]: %s"
              .formatted(
                  String.join(" ", effect.request().getSourceVolumeIdsList()),
                  GoWords.quoted(failure.getMessage())));
      throw failure;
    }
    var told = contents.taken(content, taken.getGroupSnapshotId(), taken, true, time.now());
    untold.over(content.meta().uid());
    contents.unmark(told);
    asked(told, taken.getReadyToUse());
  }

  private static VolumeGroupSnapshot taken(VolumeGroupSnapshot answer) {
    if (answer.getGroupSnapshotId().isEmpty())
      throw new CsiException(
          Status.Code.ABORTED, "the driver took a group snapshot and did not say its id");
    return answer;
  }

  private void lookUp(LookUpGroup effect) {
    var content = effect.seen().object();
    var name = content.meta().name();
    var texts =
        secret(
            content,
            effect.secret(),
            "failed to get credentials for group snapshot content " + name);
    VolumeGroupSnapshot found;
    try {
      found =
          calls
              .getVolumeGroupSnapshot(effect.request().toBuilder().putAllSecrets(texts).build())
              .getGroupSnapshot();
    } catch (CsiException failure) {
      tell(
          content,
          "failed to list group snapshot for group snapshot content %s: %s"
              .formatted(name, GoWords.quoted(failure.getMessage())));
      throw failure;
    }
    var told =
        contents.taken(content, effect.request().getGroupSnapshotId(), found, false, time.now());
    asked(told, found.getReadyToUse());
  }

  /// Driver, status, finalizer, in this order.
  private void remove(RemoveGroup effect) {
    var content = effect.seen().object();
    Map<String, String> texts;
    try {
      texts = secrets.read(effect.secret());
    } catch (ApiException unreadable) {
      warn(content, "Failed to get snapshot credentials: " + unreadable.getMessage());
      throw unreadable;
    }
    try {
      calls.deleteVolumeGroupSnapshot(effect.request().toBuilder().putAllSecrets(texts).build());
    } catch (CsiException failure) {
      warn(content, "Failed to delete group snapshot: " + failure.getMessage());
      throw failure;
    }
    contents.removed(content);
    questions.over(content.meta().uid());
    untold.over(content.meta().uid());
    contents.letGo(content);
  }

  private Map<String, String> secret(
      GroupContent content, Optional<SecretRef> secret, String complaint) {
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) {
      tell(content, complaint);
      throw unreadable;
    }
  }

  private void warn(GroupContent content, String message) {
    events.tell(Notice.warning(content.ref(), Reasons.GROUP_SNAPSHOT_DELETE_ERROR, message));
  }

  private void tell(GroupContent content, String why) {
    try {
      report(content, GroupWords.message(content, why));
    } catch (ApiException unsaved) {
      log.warn("{}: error not saved: {}", content.meta().name(), unsaved.getMessage());
    }
  }

  private void report(GroupContent content, String message) {
    var shown = content.shown().error().flatMap(error -> error.message());
    if (shown.equals(Optional.of(message))) return;
    events.tell(Notice.warning(content.ref(), GroupWords.reason(content), message));
    contents.failed(content, message, time.now());
  }

  private void asked(GroupContent content, boolean ready) {
    if (ready) questions.over(content.meta().uid());
    else questions.asked(content.meta().uid(), time.now());
  }
}

package dev.berth.sidecar.snapshotter;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.csi.v1.Snapshot;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.snapshotter.ContentStatus.Answer;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Adopt;
import dev.berth.sidecar.snapshotter.SnapshotEffect.LetGo;
import dev.berth.sidecar.snapshotter.SnapshotEffect.LookUp;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Origin;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Remove;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Report;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Secret;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Take;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Unmark;
import dev.berth.volume.request.SecretReader;
import dev.berth.volume.snapshot.GoWords;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes snapshots, deletes them, and tells how it went.
final class SnapshotEffects implements Effects<SnapshotEffect> {
  private static final Logger log = LoggerFactory.getLogger(SnapshotEffects.class);

  private final DriverFacts driver;
  private final ControllerCalls calls;
  private final EventRecorder events;
  private final Time time;
  private final SecretReader secrets;
  private final Turns turns;
  private final SnapshotContents contents;
  private final ContentStatus status;
  private final Questions questions;

  private final Untold<Snapshot> untold = new Untold<>();

  SnapshotEffects(
      DriverFacts driver,
      ControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time,
      Turns turns,
      Questions questions) {
    this.turns = turns;
    this.driver = driver;
    this.calls = calls;
    this.events = events;
    this.time = time;
    secrets = new SecretReader(api);
    contents = new SnapshotContents(api, time);
    status = new ContentStatus(api);
    this.questions = questions;
  }

  @Override
  public void carryOut(SnapshotEffect effect) throws InterruptedException {
    switch (effect) {
      case Take take -> take(take);
      case LookUp(_, var handle, var secret, var seen) -> lookUp(seen.object(), handle, secret);
      case Adopt(_, var node, var secret, var seen) -> adopt(seen.object(), node, secret);
      case Remove(_, var handle, var secret, var seen) -> remove(seen.object(), handle, secret);
      case LetGo(_, var seen) -> {
        untold.over(seen.object().meta().uid());
        contents.letGo(seen.object());
      }
      case Unmark(_, var seen) -> contents.unmark(seen.object());
      case Report(_, var message, var seen) -> report(seen.object(), message);
    }
  }

  /// Mark, call, status, mark off, in this order. Lost between any two: the mark stands, and the
  /// same call again tells what there is.
  private void take(Take effect) throws InterruptedException {
    var seen = effect.seen().object();
    var texts = creationSecret(seen, effect.secret());
    var content = contents.mark(seen);
    Snapshot taken;
    try {
      var request = effect.request().toBuilder().putAllSecrets(texts).build();
      taken =
          untold.answer(
              content.meta().uid(),
              () ->
                  turns.take(
                      request.getSourceVolumeId(),
                      () -> taken(calls.createSnapshot(request).getSnapshot())));
    } catch (CsiException failure) {
      if (ContentDecision.marked(seen) && !failure.uncertainOrExhausted())
        events.tell(SnapshotWords.mayBeLeft(content, effect.request()));
      var settled = failure.uncertainOrExhausted() ? content : contents.unmark(content); // SNAP-62
      tell(
          settled,
          "failed to take snapshot of the volume %s: %s"
              .formatted(
                  effect.request().getSourceVolumeId(), GoWords.quoted(failure.getMessage())));
      throw failure;
    }
    var told = status.taken(content, answer(taken, ""));
    untold.over(content.meta().uid());
    contents.unmark(told);
    asked(told, taken.getReadyToUse());
  }

  /// A snapshot without a name cannot be deleted again: the same call may bring one to light.
  private static Snapshot taken(Snapshot answer) {
    if (answer.getSnapshotId().isEmpty())
      throw new CsiException(
          Status.Code.ABORTED, "the driver took a snapshot and did not say its id");
    return answer;
  }

  private Map<String, String> creationSecret(SnapshotContent content, Optional<SecretRef> secret) {
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) {
      var name = content.meta().name();
      tell(content, SnapshotWords.noInput(name, SnapshotWords.secretUnread(name)));
      throw unreadable;
    }
  }

  private void lookUp(SnapshotContent content, String handle, Optional<Secret> secret) {
    Answer answer;
    try {
      answer = found(content, handle, listingSecret(content, secret));
    } catch (CsiException | Unknown failure) {
      tell(
          content,
          "failed to list snapshot for content %s: %s"
              .formatted(
                  content.meta().name(), GoWords.quoted(String.valueOf(failure.getMessage()))));
      throw failure;
    }
    asked(status.taken(content, answer), answer.ready());
  }

  /// Whose driver does not have it says nothing: that of another node may.
  private void adopt(SnapshotContent content, String node, Optional<Secret> secret) {
    var handle = content.snapshotHandle().orElseThrow();
    if (has(handle, listingSecret(content, secret))) {
      questions.over(content.meta().uid());
      contents.adopt(content, node);
    } else asked(content, false);
  }

  private boolean has(String handle, Map<String, String> texts) {
    if (driver.can(LIST_SNAPSHOTS)) return !entries(handle, texts).isEmpty();
    try {
      return calls.getSnapshot(named(handle, texts)).hasSnapshot();
    } catch (CsiException failure) {
      if (failure.code() == Status.Code.NOT_FOUND) return false;
      throw failure;
    }
  }

  private static GetSnapshotRequest named(String handle, Map<String, String> texts) {
    return GetSnapshotRequest.newBuilder().setSnapshotId(handle).putAllSecrets(texts).build();
  }

  private List<ListSnapshotsResponse.Entry> entries(String handle, Map<String, String> texts) {
    var request =
        ListSnapshotsRequest.newBuilder().setSnapshotId(handle).putAllSecrets(texts).build();
    return calls.listSnapshots(request).getEntriesList();
  }

  /// A driver that tells nothing is taken to have it, ready (SNAP-64).
  private Answer found(SnapshotContent content, String handle, Map<String, String> texts) {
    if (driver.can(LIST_SNAPSHOTS)) return listed(handle, texts);
    if (driver.can(GET_SNAPSHOT))
      return answer(calls.getSnapshot(named(handle, texts)).getSnapshot(), handle);
    log.debug("{}: snapshot {} is taken to be ready", content.meta().name(), handle);
    return new Answer(handle, true, Moments.nanos(time.now()), 0, "");
  }

  private Answer listed(String handle, Map<String, String> texts) {
    var entries = entries(handle, texts);
    if (entries.isEmpty()) throw new Unknown("can not find snapshot for snapshotID " + handle);
    return answer(entries.getFirst().getSnapshot(), handle);
  }

  /// @param handle as it is known; empty: as the driver says
  private Answer answer(Snapshot snapshot, String handle) {
    return new Answer(
        handle.isEmpty() ? snapshot.getSnapshotId() : handle,
        snapshot.getReadyToUse(),
        Moments.nanos(snapshot).orElseGet(() -> Moments.nanos(time.now())), // SNAP-69
        snapshot.getSizeBytes(),
        snapshot.getGroupSnapshotId());
  }

  private Map<String, String> listingSecret(SnapshotContent content, Optional<Secret> secret) {
    try {
      return secrets.read(secret.map(Secret::ref));
    } catch (ApiException unreadable) {
      tell(content, unread(content, secret.orElseThrow(), unreadable));
      throw unreadable;
    }
  }

  private static String unread(SnapshotContent content, Secret secret, ApiException why) {
    var name = content.meta().name();
    return secret.origin() == Origin.ANNOTATION
        ? "failed to get credentials from annotation for snapshot content %s: %s"
            .formatted(name, SnapshotWords.secretUnread(name))
        : "failed to get credentials for snapshot content %s: error getting secret %s in namespace %s: %s"
            .formatted(name, secret.ref().name(), secret.ref().namespace(), why.getMessage());
  }

  /// Driver, status, finalizer, in this order (SNAP-56).
  private void remove(SnapshotContent content, String handle, Optional<SecretRef> secret) {
    var texts = deletionSecret(content, secret);
    try {
      calls.deleteSnapshot(
          DeleteSnapshotRequest.newBuilder().setSnapshotId(handle).putAllSecrets(texts).build());
    } catch (CsiException failure) {
      warn(content, "Failed to delete snapshot: " + failure.getMessage());
      throw failure;
    }
    try {
      status.removed(content);
    } catch (ApiException.LostRace race) {
      throw race;
    } catch (ApiException refused) {
      warn(content, "Failed to clear content status: " + refused.getMessage());
      throw refused;
    }
    questions.over(content.meta().uid());
    untold.over(content.meta().uid());
    contents.letGo(content);
  }

  /// SNAP-18: it is not deleted without the Secret that it was made with.
  private Map<String, String> deletionSecret(SnapshotContent content, Optional<SecretRef> secret) {
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) {
      warn(content, "Failed to get snapshot credentials: " + unreadable.getMessage());
      throw unreadable;
    }
  }

  private void warn(SnapshotContent content, String message) {
    events.tell(Notice.warning(content.ref(), Reasons.SNAPSHOT_DELETE_ERROR, message));
  }

  /// Tells why nothing came of an attempt; that it could not be told is no reason to forget why.
  private void tell(SnapshotContent content, String why) {
    try {
      report(content, SnapshotWords.message(content, why));
    } catch (ApiException unsaved) {
      log.warn("{}: error not saved: {}", content.meta().name(), unsaved.getMessage());
    }
  }

  /// Once: a message that is there already is written and told no more (SNAP-63).
  private void report(SnapshotContent content, String message) {
    var shown = content.shown().error().flatMap(error -> error.message());
    if (shown.equals(Optional.of(message))) return;
    events.tell(Notice.warning(content.ref(), SnapshotWords.reason(content), message));
    status.failed(content, message, time.now());
  }

  private void asked(SnapshotContent content, boolean ready) {
    if (ready) questions.over(content.meta().uid());
    else questions.asked(content.meta().uid(), time.now());
  }

  /// The driver answered, and does not know the snapshot: told in the words of whoever looked.
  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unknown(String message) {
      super(message);
    }
  }
}

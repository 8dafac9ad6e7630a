package dev.berth.sidecar.attacher;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.attacher.AttachEffect.Compared;
import dev.berth.sidecar.attacher.AttachEffect.HoldVolume;
import dev.berth.sidecar.attacher.AttachEffect.LetGo;
import dev.berth.sidecar.attacher.AttachEffect.ListPublished;
import dev.berth.sidecar.attacher.AttachEffect.MarkAttached;
import dev.berth.sidecar.attacher.AttachEffect.Publish;
import dev.berth.sidecar.attacher.AttachEffect.ReleaseVolume;
import dev.berth.sidecar.attacher.AttachEffect.ReportAttachError;
import dev.berth.sidecar.attacher.AttachEffect.ReportDetachError;
import dev.berth.sidecar.attacher.AttachEffect.Unpublish;
import dev.berth.sidecar.write.GuardedPatch;
import dev.berth.volume.request.SecretReader;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Attaches and detaches, and tells how it went.
final class AttachEffects implements Effects<AttachEffect> {
  private static final Logger log = LoggerFactory.getLogger(AttachEffects.class);

  /// How long a Secret that is missing at a detachment is waited for.
  private static final Duration SECRET_PATIENCE = Duration.ofMinutes(5);

  private final ControllerCalls calls;
  private final EventRecorder events;
  private final Time time;
  private final SecretReader secrets;
  private final GuardedPatch patches;
  private final AttachmentStatus status;
  private final Told<Audit> told;
  private final int pageSize;
  private final String finalizer;
  private final Semaphore attaching;
  private final Semaphore detaching;

  AttachEffects(
      String driver,
      AttacherOptions options,
      ControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time,
      Told<Audit> told) {
    this.told = told;
    pageSize = options.pageSize();
    this.calls = calls;
    this.events = events;
    this.time = time;
    secrets = new SecretReader(api);
    patches = new GuardedPatch(api);
    status = new AttachmentStatus(api);
    finalizer = Finalizers.attacher(driver);
    attaching = new Semaphore(options.attaching(), true);
    detaching = new Semaphore(options.detaching(), true);
  }

  @Override
  public void carryOut(AttachEffect effect) throws InterruptedException {
    switch (effect) {
      case HoldVolume(_, var seen) -> hold(seen.object());
      case ReleaseVolume(_, var seen) -> patches.letGo(Resources.VOLUMES, seen.object(), finalizer);
      case Publish publish -> publish(publish);
      case Unpublish unpublish -> unpublish(unpublish);
      case LetGo(_, var seen) -> letGo(seen.object());
      case MarkAttached(var attachment) -> status.attached(attachment, Map.of());
      case ListPublished(var seen) -> {
        var listing = new Audit.Listing(published(), seen);
        told.change(audit -> audit.listed(time.now(), listing));
      }
      case Compared(var marks) -> {
        marks.forEach(AttachEffects::giveUp);
        told.change(audit -> audit.compared(marks));
      }
      case ReportAttachError(var attachment, var message) ->
          status.attachError(attachment, message, OptionalInt.empty(), time.now());
      case ReportDetachError(var attachment, var message) ->
          status.detachError(attachment, message, OptionalInt.empty(), time.now());
    }
  }

  /// All pages, each a call with a deadline of its own (ATT-65, ATT-70).
  private Map<String, Set<String>> published() {
    var nodes = new HashMap<String, Set<String>>();
    var tokens = new HashSet<String>();
    var token = "";
    do {
      var page =
          calls.listVolumes(
              ListVolumesRequest.newBuilder()
                  .setMaxEntries(pageSize)
                  .setStartingToken(token)
                  .build());
      for (var entry : page.getEntriesList())
        if (entry.hasVolume() && entry.hasStatus())
          nodes.put(
              entry.getVolume().getVolumeId(),
              Set.copyOf(entry.getStatus().getPublishedNodeIdsList()));
      token = page.getNextToken();
      if (!token.isEmpty() && !tokens.add(token))
        throw new CsiException(
            Status.Code.INTERNAL, "ListVolumes gave next_token \"" + token + "\" twice");
    } while (!token.isEmpty());
    return nodes;
  }

  /// Once, when it is enough (ATT-70).
  private static void giveUp(String attachment, Audit.Mark mark) {
    if (mark.times() == AuditDecision.ENOUGH + 1)
      log.warn(
          "{}: the driver lists the volume otherwise than the attachment says, after {} repairs;"
              + " nothing more is done until it does not",
          attachment,
          AuditDecision.ENOUGH);
  }

  private void done(Attachment va) {
    told.change(audit -> audit.done(va.meta().name()));
  }

  private void hold(Meta volume) {
    var patch =
        new JsonPatch()
            .testSame(volume)
            .testAbsent("metadata", "deletionTimestamp")
            .addFinalizer(volume, finalizer);
    patches.applyIfThere(Resources.VOLUMES, volume, patch);
  }

  /// The Secret is read before the attachment is held: an attachment that cannot be made must not
  /// be one that cannot be deleted (ATT-40).
  private void publish(Publish effect) throws InterruptedException {
    var va = effect.seen().object();
    attaching.acquire();
    try {
      var texts = secrets.read(effect.secret());
      announce(va, effect);
      var request = effect.request().toBuilder().putAllSecrets(texts).build();
      var answer = calls.controllerPublishVolume(request);
      status.attached(
          Revision.of(va.meta()), answer.getPublishContextMap()); // lost: published again
      done(va);
    } catch (CsiException | ApiException failure) {
      if (isNews(failure)) attachFailed(va, failure);
      throw failure;
    } finally {
      attaching.release();
    }
  }

  /// Our finalizer and all that detaching takes, in one patch (ATT-31, step 10; ATT-61).
  private void announce(Attachment va, Publish effect) {
    var meta = va.meta();
    var notes = new LinkedHashMap<String, String>();
    notes.put(Annotations.ATTACHMENT_NODE_ID, effect.request().getNodeId());
    notes.put(Annotations.ATTACHMENT_HANDLE, effect.request().getVolumeId());
    effect
        .secret()
        .ifPresent(secret -> notes.put(Annotations.ATTACHMENT_SECRET, secret.key().toString()));
    var patch = new JsonPatch().testSame(meta).testAbsent("metadata", "deletionTimestamp");
    boolean held = meta.hasFinalizer(finalizer);
    notes.entrySet().removeIf(it -> meta.annotations().entrySet().contains(it));
    if (held && notes.isEmpty()) return;
    if (!held) patch.addFinalizer(meta, finalizer);
    patch.setAnnotations(meta, notes);
    patches.apply(Resources.ATTACHMENTS, meta, patch);
  }

  private void unpublish(Unpublish effect) throws InterruptedException {
    var va = effect.seen().object();
    detaching.acquire();
    try {
      var texts = detachingSecret(va, effect.secret());
      calls.controllerUnpublishVolume(effect.request().toBuilder().putAllSecrets(texts).build());
      letGo(va);
      done(va);
    } catch (CsiException | ApiException failure) {
      if (isNews(failure)) detachFailed(va, failure);
      throw failure;
    } finally {
      detaching.release();
    }
  }

  /// A Secret that is gone for good keeps no volume attached for ever (ATT-62).
  private Map<String, String> detachingSecret(Attachment va, Optional<SecretRef> secret) {
    try {
      return secrets.read(secret);
    } catch (ApiException unread) {
      var due = va.meta().deleted().map(at -> at.plus(SECRET_PATIENCE));
      if (!unread.isNotFound() || due.isEmpty() || time.now().isBefore(due.get())) throw unread;
      var why =
          "%s for %s or more: detached without it".formatted(unread.getMessage(), SECRET_PATIENCE);
      events.tell(Notice.warning(va.ref(), Reasons.CONTROLLER_UNPUBLISH_FAILED, why));
      return Map.of();
    }
  }

  /// The finalizer goes first: in the other order the cleared status would come back while the
  /// finalizer still stands, and the volume would be detached twice (ATT-59).
  private void letGo(Attachment va) {
    var meta = va.meta();
    // ATT-67: of a detachment that is repeated it has gone already
    if (meta.hasFinalizer(finalizer))
      patches.applyIfThere(
          Resources.ATTACHMENTS,
          meta,
          new JsonPatch().testSame(meta).removeFinalizer(meta, finalizer));
    try {
      status.detached(Revision.of(meta));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  /// Losing a race or the attachment itself is nothing to tell anybody.
  private static boolean isNews(RuntimeException failure) {
    return !(failure instanceof ApiException.LostRace);
  }

  private void attachFailed(Attachment va, RuntimeException failure) {
    warn(va, Reasons.CONTROLLER_PUBLISH_FAILED, failure);
    try {
      status.attachError(Revision.of(va.meta()), message(failure), code(failure), time.now());
    } catch (ApiException unsaved) { // ATT-50
      log.warn("{}: attachError not saved: {}", va.meta().key(), unsaved.getMessage());
    }
  }

  private void detachFailed(Attachment va, RuntimeException failure) {
    warn(va, Reasons.CONTROLLER_UNPUBLISH_FAILED, failure);
    try {
      status.detachError(Revision.of(va.meta()), message(failure), code(failure), time.now());
    } catch (ApiException unsaved) { // ATT-50
      log.warn("{}: detachError not saved: {}", va.meta().key(), unsaved.getMessage());
    }
  }

  private void warn(Attachment va, String reason, RuntimeException failure) {
    events.tell(Notice.warning(va.ref(), reason, message(failure)));
  }

  private static String message(RuntimeException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static OptionalInt code(RuntimeException failure) {
    return failure instanceof CsiException refusal
        ? OptionalInt.of(refusal.code().value())
        : OptionalInt.empty();
  }
}

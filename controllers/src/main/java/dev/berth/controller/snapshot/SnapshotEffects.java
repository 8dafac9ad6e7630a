package dev.berth.controller.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.SnapshotEffect.AddOwner;
import dev.berth.controller.snapshot.SnapshotEffect.Bind;
import dev.berth.controller.snapshot.SnapshotEffect.CopyStatus;
import dev.berth.controller.snapshot.SnapshotEffect.DeleteContent;
import dev.berth.controller.snapshot.SnapshotEffect.HoldClaim;
import dev.berth.controller.snapshot.SnapshotEffect.HoldContent;
import dev.berth.controller.snapshot.SnapshotEffect.HoldSnapshot;
import dev.berth.controller.snapshot.SnapshotEffect.MakeContent;
import dev.berth.controller.snapshot.SnapshotEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseClaim;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseSnapshot;
import dev.berth.controller.snapshot.SnapshotEffect.Report;
import dev.berth.controller.snapshot.SnapshotEffect.SetClass;
import dev.berth.controller.snapshot.source.ClaimHolds;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Carries out what the snapshot controller decided.
final class SnapshotEffects implements Effects<SnapshotEffect> {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;
  private final ClaimHolds claims;
  private final EventRecorder events;

  SnapshotEffects(Api api, ClaimHolds claims, EventRecorder events) {
    this.api = api;
    this.claims = claims;
    this.events = events;
  }

  @Override
  public void carryOut(SnapshotEffect effect) {
    switch (effect) {
      case SetClass(var snapshot, var className) ->
          patch(
              SnapshotResources.SNAPSHOTS,
              snapshot,
              body -> body.putObject("spec").put("volumeSnapshotClassName", className));
      case HoldClaim(var claim, var uid) -> claims.hold(claim, uid);
      case ReleaseClaim(var claim, var uid, var but) -> claims.release(claim, uid, but);
      case HoldSnapshot(_, var finalizers, var seen) -> hold(seen.object(), finalizers);
      case ReleaseSnapshot(_, var finalizers, var seen) -> release(seen.object(), finalizers);
      case HoldContent(var content, var seen) -> holdContent(content, seen.object());
      case MarkBeingDeleted(var content, var seen) -> mark(content, seen.object());
      case DeleteContent(var content, var uid, var snapshot) -> delete(content, uid, snapshot);
      case Bind(var content, var uid, var className) ->
          patch(
              SnapshotResources.CONTENTS,
              content,
              body -> {
                var spec = body.putObject("spec");
                spec.putObject("volumeSnapshotRef").put("uid", uid);
                className.ifPresent(it -> spec.put("volumeSnapshotClassName", it));
              });
      case MakeContent make -> make(make);
      case AddOwner(_, var group, var seen) -> own(seen.object(), group);
      case CopyStatus(var snapshot, var status, var news) -> {
        patchStatus(snapshot, status);
        news.forEach(events::tell);
      }
      case Report(var snapshot, var message, var unready, var news, var seen) -> {
        patchStatus(snapshot, error(message, unready, seen.object()));
        news.forEach(events::tell);
      }
    }
  }

  /// Only what was seen is changed: whoever wrote meanwhile is looked at first.
  private void patch(
      Resource resource, Revision seen, java.util.function.Consumer<ObjectNode> change) {
    api.patch(resource, seen.key(), seen.patch(change));
  }

  private void patchStatus(Revision snapshot, ObjectNode status) {
    api.patchStatus(
        SnapshotResources.SNAPSHOTS,
        snapshot.key(),
        snapshot.patch(body -> body.set("status", status)));
  }

  private static ObjectNode error(String message, boolean unready, Instant now) {
    var status = JSON.objectNode();
    status
        .putObject("error")
        .put("message", message)
        .put("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
    if (unready) status.put("readyToUse", false);
    return status;
  }

  private void hold(Meta snapshot, List<String> finalizers) {
    var patch = new JsonPatch().testSame(snapshot).testAbsent("metadata", "deletionTimestamp");
    addFinalizers(patch, snapshot, finalizers);
    api.patch(SnapshotResources.SNAPSHOTS, snapshot.key(), patch.patch());
  }

  private static void addFinalizers(JsonPatch patch, Meta seen, List<String> added) {
    patch.addFinalizer(seen, added.getFirst());
    added.stream()
        .skip(1)
        .forEach(finalizer -> patch.add(JSON.textNode(finalizer), "metadata", "finalizers", "-"));
  }

  /// All in one patch: the last one that goes takes the snapshot with it.
  private void release(Meta snapshot, List<String> finalizers) {
    var patch = new JsonPatch().testSame(snapshot);
    var left = new java.util.ArrayList<>(snapshot.finalizers());
    for (var finalizer : finalizers) {
      var index = Integer.toString(left.indexOf(finalizer));
      patch
          .test(finalizer, "metadata", "finalizers", index)
          .remove("metadata", "finalizers", index);
      left.remove(finalizer);
    }
    patchIfThere(SnapshotResources.SNAPSHOTS, snapshot, patch);
  }

  private void holdContent(ObjectKey content, Meta seen) {
    patchIfThere(
        SnapshotResources.CONTENTS,
        seen,
        new JsonPatch()
            .testSame(seen)
            .testAbsent("metadata", "deletionTimestamp")
            .addFinalizer(seen, SnapshotFinalizers.CONTENT_BOUND));
  }

  private void mark(ObjectKey content, Meta seen) {
    patchIfThere(
        SnapshotResources.CONTENTS,
        seen,
        new JsonPatch()
            .testSame(seen)
            .setAnnotation(seen, SnapshotAnnotations.BEING_DELETED, SnapshotAnnotations.YES));
  }

  private void patchIfThere(Resource resource, Meta seen, JsonPatch patch) {
    try {
      api.patch(resource, seen.key(), patch.patch());
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private void delete(ObjectKey content, String uid, Ref snapshot) {
    try {
      api.delete(SnapshotResources.CONTENTS, content, DeleteOptions.uid(uid));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return;
      if (!(refused instanceof ApiException.LostRace))
        events.tell(
            Notice.warning(
                snapshot,
                SnapshotEvents.DELETE_ERROR,
                "Failed to delete snapshot content API object: " + refused.getMessage()));
      throw refused;
    }
  }

  /// A content of that name that is there already is looked at like any other (SNAP-A7).
  private void make(MakeContent effect) {
    var about = effect.about();
    try {
      api.create(SnapshotResources.CONTENTS, effect.content());
    } catch (ApiException.LostRace there) {
      throw there;
    } catch (ApiException refused) {
      events.tell(
          Notice.warning(
              about,
              SnapshotEvents.CREATE_FAILED,
              "Error creating volume snapshot content object for snapshot %s: %s."
                  .formatted(about.key(), refused.getMessage())));
      var message = Creation.refused(about.key(), refused.getMessage());
      // SNAP-33
      if (!effect.shown().object().equals(Optional.of(message))) {
        patchStatus(effect.snapshot(), error(message, true, effect.now().object()));
        events.tell(Notice.warning(about, SnapshotEvents.CONTENT_FAILED, message));
      }
      throw refused;
    }
    events.tell(
        Notice.normal(
            about,
            SnapshotEvents.CREATING,
            "Waiting for a snapshot %s to be created by the CSI driver.".formatted(about.key())));
  }

  private void own(Meta snapshot, Ref group) {
    var owner =
        JSON.objectNode()
            .put("apiVersion", SnapshotResources.GROUP_SNAPSHOTS.apiVersion())
            .put("kind", SnapshotResources.GROUP_SNAPSHOTS.kind())
            .put("name", group.key().name())
            .put("uid", group.uid());
    var patch = new JsonPatch().testSame(snapshot);
    if (snapshot.owners().isEmpty())
      patch
          .testAbsent("metadata", "ownerReferences")
          .add(JSON.arrayNode().add(owner), "metadata", "ownerReferences");
    else patch.add(owner, "metadata", "ownerReferences", "-");
    api.patch(SnapshotResources.SNAPSHOTS, snapshot.key(), patch.patch());
  }
}

package dev.berth.controller.snapshot.group;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.group.GroupEffect.Bind;
import dev.berth.controller.snapshot.group.GroupEffect.BindMember;
import dev.berth.controller.snapshot.group.GroupEffect.BindMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.CopyStatus;
import dev.berth.controller.snapshot.group.GroupEffect.DeleteContent;
import dev.berth.controller.snapshot.group.GroupEffect.DeleteMember;
import dev.berth.controller.snapshot.group.GroupEffect.DropMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.FillMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.HoldClaim;
import dev.berth.controller.snapshot.group.GroupEffect.HoldContent;
import dev.berth.controller.snapshot.group.GroupEffect.HoldGroup;
import dev.berth.controller.snapshot.group.GroupEffect.MakeContent;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMember;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.group.GroupEffect.ReleaseGroup;
import dev.berth.controller.snapshot.group.GroupEffect.Report;
import dev.berth.controller.snapshot.group.GroupEffect.SetClass;
import dev.berth.controller.snapshot.source.ClaimHolds;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Carries out what was decided about groups. Each write tests what it takes for granted, so that
/// it may be lost or come twice at any point.
final class GroupEffects implements Effects<GroupEffect> {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;
  private final ClaimHolds claims;
  private final EventRecorder events;

  GroupEffects(Api api, ClaimHolds claims, EventRecorder events) {
    this.api = api;
    this.claims = claims;
    this.events = events;
  }

  @Override
  public void carryOut(GroupEffect effect) {
    switch (effect) {
      case SetClass(var group, var className) ->
          patch(
              SnapshotResources.GROUP_SNAPSHOTS,
              group,
              body -> body.putObject("spec").put("volumeGroupSnapshotClassName", className));
      case HoldClaim(var claim, var uid) -> claims.hold(claim, uid);
      case HoldGroup(_, var seen) ->
          hold(
              SnapshotResources.GROUP_SNAPSHOTS,
              seen.object(),
              SnapshotFinalizers.GROUP_SNAPSHOT_BOUND);
      case ReleaseGroup(_, var seen) -> release(seen.object());
      case HoldContent(_, var seen) ->
          hold(
              SnapshotResources.GROUP_CONTENTS,
              seen.object(),
              SnapshotFinalizers.GROUP_CONTENT_BOUND);
      case MarkBeingDeleted(_, var seen) -> mark(seen.object());
      case Bind(var content, var uid, var className) ->
          patch(
              SnapshotResources.GROUP_CONTENTS,
              content,
              body -> {
                var spec = body.putObject("spec");
                spec.putObject("volumeGroupSnapshotRef").put("uid", uid);
                className.ifPresent(it -> spec.put("volumeGroupSnapshotClassName", it));
              });
      case MakeContent make -> make(make);
      case DeleteContent(var content, var uid, var group) -> delete(content, uid, group);
      case CopyStatus(var group, var status, var news) -> {
        patchStatus(SnapshotResources.GROUP_SNAPSHOTS, group, status);
        news.forEach(events::tell);
      }
      case Report(var group, var message, var unready, var news, var seen) -> {
        patchStatus(
            SnapshotResources.GROUP_SNAPSHOTS, group, error(message, unready, seen.object()));
        news.forEach(events::tell);
      }
      case MakeMemberContent(var content) -> api.create(SnapshotResources.CONTENTS, content);
      case MakeMember(var snapshot) -> api.create(SnapshotResources.SNAPSHOTS, snapshot);
      case BindMemberContent(var content, var uid) ->
          patch(
              SnapshotResources.CONTENTS,
              content,
              body -> body.putObject("spec").putObject("volumeSnapshotRef").put("uid", uid));
      case BindMember(var snapshot, var content) ->
          patchStatus(
              SnapshotResources.SNAPSHOTS,
              snapshot,
              JSON.objectNode().put("boundVolumeSnapshotContentName", content));
      case FillMemberContent(var content, var status) ->
          patchStatus(SnapshotResources.CONTENTS, content, status);
      case DropMemberContent(var content, var uid) ->
          deleteIfThere(SnapshotResources.CONTENTS, content, uid);
      case DeleteMember(var snapshot, var uid, var group) -> deleteMember(snapshot, uid, group);
    }
  }

  /// Only what was seen is changed: whoever wrote meanwhile is looked at first.
  private void patch(Resource resource, Revision seen, Consumer<ObjectNode> change) {
    api.patch(resource, seen.key(), seen.patch(change));
  }

  private void patchStatus(Resource resource, Revision seen, ObjectNode status) {
    api.patchStatus(resource, seen.key(), seen.patch(body -> body.set("status", status)));
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

  private void hold(Resource resource, Meta seen, String finalizer) {
    patchIfThere(
        resource,
        seen,
        new JsonPatch()
            .testSame(seen)
            .testAbsent("metadata", "deletionTimestamp")
            .addFinalizer(seen, finalizer));
  }

  private void release(Meta group) {
    patchIfThere(
        SnapshotResources.GROUP_SNAPSHOTS,
        group,
        new JsonPatch()
            .testSame(group)
            .removeFinalizer(group, SnapshotFinalizers.GROUP_SNAPSHOT_BOUND));
  }

  private void mark(Meta content) {
    patchIfThere(
        SnapshotResources.GROUP_CONTENTS,
        content,
        new JsonPatch()
            .testSame(content)
            .setAnnotation(
                content, SnapshotAnnotations.GROUP_BEING_DELETED, SnapshotAnnotations.YES));
  }

  private void patchIfThere(Resource resource, Meta seen, JsonPatch patch) {
    try {
      api.patch(resource, seen.key(), patch.patch());
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  /// Whose name is taken already is looked at like any other (SNAP-A7).
  private void make(MakeContent effect) {
    var about = effect.about();
    try {
      api.create(SnapshotResources.GROUP_CONTENTS, effect.content());
    } catch (ApiException.LostRace there) {
      throw there;
    } catch (ApiException refused) {
      events.tell(
          Notice.warning(
              about,
              GroupEvents.CREATE_FAILED,
              "Error creating volume group snapshot content object for group snapshot %s: %s."
                  .formatted(about.key(), refused.getMessage())));
      var message = GroupCreation.refused(about.key(), refused.getMessage());
      // SNAP-33
      if (!effect.shown().object().equals(Optional.of(message))) {
        patchStatus(
            SnapshotResources.GROUP_SNAPSHOTS,
            effect.group(),
            error(message, true, effect.now().object()));
        events.tell(Notice.warning(about, GroupEvents.CONTENT_FAILED, message));
      }
      throw refused;
    }
    events.tell(
        Notice.normal(
            about,
            GroupEvents.CREATING,
            "Waiting for a group snapshot %s to be created by the CSI driver."
                .formatted(about.key())));
  }

  private void delete(ObjectKey content, String uid, Ref group) {
    deleteOrTell(
        SnapshotResources.GROUP_CONTENTS,
        content,
        uid,
        _ ->
            Notice.warning(
                group,
                GroupEvents.DELETE_ERROR,
                "Failed to delete group snapshot content API object"));
  }

  private void deleteMember(ObjectKey snapshot, String uid, Ref group) {
    deleteOrTell(
        SnapshotResources.SNAPSHOTS,
        snapshot,
        uid,
        refused ->
            Notice.warning(
                group,
                Reasons.SNAPSHOT_DELETE_ERROR,
                "failed to delete snapshot API object %s part of group snapshot %s: %s"
                    .formatted(snapshot, group.key(), refused.getMessage())));
  }

  private void deleteOrTell(
      Resource resource, ObjectKey key, String uid, Function<ApiException, Notice> why) {
    try {
      deleteIfThere(resource, key, uid);
    } catch (ApiException.LostRace race) {
      throw race;
    } catch (ApiException refused) {
      events.tell(why.apply(refused));
      throw refused;
    }
  }

  private void deleteIfThere(Resource resource, ObjectKey key, String uid) {
    try {
      api.delete(resource, key, DeleteOptions.uid(uid));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}

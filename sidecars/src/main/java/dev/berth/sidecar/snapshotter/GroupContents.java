package dev.berth.sidecar.snapshotter;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.write.GuardedPatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Writes group contents: their mark, their finalizer and their status, and nothing that another
/// has written.
final class GroupContents {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;
  private final GuardedPatch patches;
  private final Mark<GroupContent> mark;

  GroupContents(Api api, Time time) {
    this.api = api;
    patches = new GuardedPatch(api);
    mark =
        new Mark<>(SnapshotKinds.GROUP_CONTENT, SnapshotAnnotations.GROUP_BEING_CREATED, api, time);
  }

  GroupContent mark(GroupContent content) {
    return mark.on(content);
  }

  GroupContent unmark(GroupContent content) {
    return mark.off(content);
  }

  void letGo(GroupContent content) {
    mark.forget(content);
    var meta = content.meta();
    if (!meta.hasFinalizer(SnapshotFinalizers.GROUP_CONTENT_BOUND)) return;
    patches.applyIfThere(
        SnapshotResources.GROUP_CONTENTS,
        meta,
        new JsonPatch()
            .testSame(meta)
            .removeFinalizer(meta, SnapshotFinalizers.GROUP_CONTENT_BOUND));
  }

  /// What the driver says of a group: what is known stays, but whether it is ready.
  ///
  /// @param members whether its snapshots are told too: of a group that exists already they are in
  ///   its spec
  GroupContent taken(
      GroupContent content,
      String handle,
      VolumeGroupSnapshot answer,
      boolean members,
      Instant now) {
    var was = content.shown();
    var news = JSON.objectNode();
    if (was.groupHandle().isEmpty()) news.put("volumeGroupSnapshotHandle", handle);
    if (was.readyToUse().isEmpty() || was.readyToUse().get() != answer.getReadyToUse())
      news.put("readyToUse", answer.getReadyToUse());
    if (was.creationTime().isEmpty()) news.put("creationTime", time(answer, now));
    if (was.members().isEmpty() && members && answer.getSnapshotsCount() > 0)
      news.set("volumeSnapshotInfoList", members(answer));
    if (news.isEmpty()) return content;
    var patch = new JsonPatch().testSame(content.meta());
    if (content.status().isEmpty()) patch.testAbsent("status").add(news, "status");
    else news.properties().forEach(it -> patch.add(it.getValue(), "status", it.getKey()));
    if (answer.getReadyToUse() && !content.isReady() && was.error().isPresent())
      patch.remove("status", "error");
    return write(content, patch);
  }

  private static String time(VolumeGroupSnapshot answer, Instant now) {
    var at = Moments.of(answer).orElse(now); // SNAP-69
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// What is not known is left out, and is not 0.
  private static ArrayNode members(VolumeGroupSnapshot answer) {
    var list = JSON.arrayNode();
    for (Snapshot each : answer.getSnapshotsList()) {
      var member =
          list.addObject()
              .put("volumeHandle", each.getSourceVolumeId())
              .put("snapshotHandle", each.getSnapshotId())
              .put("readyToUse", each.getReadyToUse());
      Moments.nanos(each).ifPresent(at -> member.put("creationTime", at));
      if (each.getSizeBytes() > 0) member.put("restoreSize", each.getSizeBytes());
    }
    return list;
  }

  void failed(GroupContent content, String message, Instant now) {
    ObjectNode error =
        JSON.objectNode()
            .put("message", message)
            .put("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
    var patch = new JsonPatch().testSame(content.meta());
    if (content.status().isEmpty()) {
      var status = JSON.objectNode().put("readyToUse", false);
      status.set("error", error);
      patch.testAbsent("status").add(status, "status");
    } else patch.add(error, "status", "error").add(JSON.booleanNode(false), "status", "readyToUse");
    write(content, patch);
  }

  /// The group has gone from the storage system (SNAP-08 lets its handle be taken away).
  void removed(GroupContent content) {
    var was = content.shown();
    if (was.groupHandle().isEmpty()) return;
    var patch =
        new JsonPatch()
            .testSame(content.meta())
            .test(was.groupHandle().get(), "status", "volumeGroupSnapshotHandle")
            .remove("status", "volumeGroupSnapshotHandle");
    if (was.readyToUse().isPresent()) patch.remove("status", "readyToUse");
    if (was.creationTime().isPresent()) patch.remove("status", "creationTime");
    if (was.error().isPresent()) patch.remove("status", "error");
    try {
      write(content, patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private GroupContent write(GroupContent content, JsonPatch patch) {
    return read(
        api.patchStatus(SnapshotResources.GROUP_CONTENTS, content.meta().key(), patch.patch()));
  }

  private static GroupContent read(ObjectNode content) {
    return SnapshotKinds.GROUP_CONTENT.read().apply(content);
  }
}

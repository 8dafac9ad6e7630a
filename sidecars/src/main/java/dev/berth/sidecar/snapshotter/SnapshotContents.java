package dev.berth.sidecar.snapshotter;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.write.GuardedPatch;

/// Writes the metadata of contents: one mark, one finalizer, and nothing that another has written
/// (SNAP-A1).
final class SnapshotContents {
  private final GuardedPatch patches;
  private final Mark<SnapshotContent> mark;

  SnapshotContents(Api api, Time time) {
    patches = new GuardedPatch(api);
    mark = new Mark<>(SnapshotKinds.CONTENT, SnapshotAnnotations.BEING_CREATED, api, time);
  }

  static SnapshotContent read(ObjectNode content) {
    return SnapshotKinds.CONTENT.read().apply(content);
  }

  /// A snapshot may be coming into being from now on.
  SnapshotContent mark(SnapshotContent content) {
    return mark.on(content);
  }

  /// What came of it is known.
  SnapshotContent unmark(SnapshotContent content) {
    return mark.off(content);
  }

  /// The sidecar of a node takes care of it.
  void adopt(SnapshotContent content, String node) {
    var meta = content.meta();
    var patch = new JsonPatch().testSame(meta);
    // whoever has labelled it meanwhile keeps his labels, and it is looked at once more
    if (meta.labels().isEmpty())
      patch =
          patch
              .testAbsent("metadata", "labels")
              .add(JsonNodeFactory.instance.objectNode(), "metadata", "labels");
    else patch = patch.testAbsent("metadata", "labels", SnapshotAnnotations.MANAGED_BY);
    patches.apply(
        SnapshotResources.CONTENTS,
        meta,
        patch.add(node, "metadata", "labels", SnapshotAnnotations.MANAGED_BY));
  }

  void letGo(SnapshotContent content) {
    mark.forget(content);
    var meta = content.meta();
    if (!meta.hasFinalizer(SnapshotFinalizers.CONTENT_BOUND)) return;
    patches.applyIfThere(
        SnapshotResources.CONTENTS,
        meta,
        new JsonPatch().testSame(meta).removeFinalizer(meta, SnapshotFinalizers.CONTENT_BOUND));
  }
}

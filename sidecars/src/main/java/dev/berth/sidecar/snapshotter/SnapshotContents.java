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
import dev.berth.sidecar.write.GuardedPatch;

/// Writes the metadata of contents: one mark, one finalizer, and nothing that another has written
/// (SNAP-A1).
final class SnapshotContents {
  private final GuardedPatch patches;

  SnapshotContents(Api api) {
    patches = new GuardedPatch(api);
  }

  static SnapshotContent read(ObjectNode content) {
    return SnapshotKinds.CONTENT.read().apply(content);
  }

  /// A snapshot may be coming into being from now on.
  SnapshotContent mark(SnapshotContent content) {
    if (ContentDecision.marked(content)) return content;
    var meta = content.meta();
    return apply(
        content,
        new JsonPatch()
            .testSame(meta)
            .setAnnotation(meta, SnapshotAnnotations.BEING_CREATED, SnapshotAnnotations.YES));
  }

  /// What came of it is known.
  SnapshotContent unmark(SnapshotContent content) {
    if (!ContentDecision.marked(content)) return content;
    var meta = content.meta();
    return apply(
        content,
        new JsonPatch().testSame(meta).removeAnnotation(meta, SnapshotAnnotations.BEING_CREATED));
  }

  /// The sidecar of a node takes care of it.
  void adopt(SnapshotContent content, String node) {
    var meta = content.meta();
    var patch = new JsonPatch().testSame(meta);
    if (meta.labels().isEmpty())
      patch = patch.add(JsonNodeFactory.instance.objectNode(), "metadata", "labels");
    apply(content, patch.add(node, "metadata", "labels", SnapshotAnnotations.MANAGED_BY));
  }

  void letGo(SnapshotContent content) {
    var meta = content.meta();
    if (!meta.hasFinalizer(SnapshotFinalizers.CONTENT_BOUND)) return;
    patches.applyIfThere(
        SnapshotResources.CONTENTS,
        meta,
        new JsonPatch().testSame(meta).removeFinalizer(meta, SnapshotFinalizers.CONTENT_BOUND));
  }

  private SnapshotContent apply(SnapshotContent content, JsonPatch patch) {
    return read(patches.apply(SnapshotResources.CONTENTS, content.meta(), patch));
  }
}

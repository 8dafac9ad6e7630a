package dev.berth.sidecar.snapshotter;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What the snapshotter sees.
///
/// @param asked when the driver was last asked, by the content's uid
public record View(Snapshot objects, Map<String, Questions.Asked> asked, Instant now) {
  public View {
    asked = Map.copyOf(asked);
  }

  /// When the driver is to be asked again about a content; empty: now.
  Optional<Instant> again(Meta content) {
    return Optional.ofNullable(asked.get(content.uid()))
        .map(Questions.Asked::again)
        .filter(now::isBefore);
  }

  Lookup<SnapshotContent> content(ObjectKey key) {
    return objects.get(SnapshotKinds.CONTENT, key);
  }

  Lookup<SnapshotClass> snapshotClass(String name) {
    return objects.get(SnapshotKinds.CLASS, ObjectKey.cluster(name));
  }

  Lookup<GroupContent> group(ObjectKey key) {
    return objects.get(SnapshotKinds.GROUP_CONTENT, key);
  }

  Lookup<SnapshotClass> groupClass(String name) {
    return objects.get(SnapshotKinds.GROUP_CLASS, ObjectKey.cluster(name));
  }
}

package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;

/// Whose a content is: the VolumeSnapshot or VolumeGroupSnapshot that it names.
///
/// @param uid empty: it is reserved by name, nobody has bound it yet
public record SnapshotRef(ObjectKey key, String uid) {
  static SnapshotRef of(JsonNode ref) {
    return new SnapshotRef(
        ObjectKey.of(Json.text(ref, "namespace"), Json.text(ref, "name")), Json.text(ref, "uid"));
  }

  /// Whether it names this very object.
  public boolean isBoundTo(Meta snapshot) {
    return key.equals(snapshot.key()) && uid.equals(snapshot.uid());
  }

  /// Whether the object may have it: it is bound to it, or to nobody yet (SNAP-25).
  public boolean isFor(Meta snapshot) {
    return key.equals(snapshot.key()) && (uid.isEmpty() || uid.equals(snapshot.uid()));
  }
}

package dev.berth.kube.object;

import java.util.Locale;
import java.util.stream.Stream;

/// Names one object, existing or not, for waits, events and errors.
///
/// @param uid empty if the object is not known to exist
public record Ref(Resource resource, ObjectKey key, String uid) {
  public static Ref of(Resource resource, ObjectKey key) {
    return new Ref(resource, key, "");
  }

  public static Ref of(Resource resource, Meta meta) {
    return new Ref(resource, meta.key(), meta.uid());
  }

  /// Its key, if it is of this kind.
  public Stream<ObjectKey> as(Kind<?> kind) {
    return resource.equals(kind.resource()) ? Stream.of(key) : Stream.empty();
  }

  /// As people type it: `pod/web-0`, `volumeattachment/csi-…`.
  @Override
  public String toString() {
    return resource.kind().toLowerCase(Locale.ROOT) + "/" + key.name();
  }
}

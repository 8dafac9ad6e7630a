package dev.berth.sidecar.snapshotter;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.write.GuardedPatch;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The annotation on a content while a snapshot may be coming into being, and whose attempt that is
/// (SNAP-61).
///
/// Others ask only whether it is there. Its value tells attempts apart: `yes`, as upstream writes
/// it, and another one from whoever finds a mark that he does not know to stand, as it was written
/// by a process before him, or taken off by a request whose answer was lost. A mark is taken off by
/// its value only. So a request that takes an earlier one off, and is late, does not take off that
/// of an attempt of which nobody knows yet what came of it (SNAP-62).
final class Mark<T extends KubeObject> {
  private final Kind<T> kind;
  private final String annotation;
  private final GuardedPatch patches;
  private final Time time;

  /// Values that nobody but this process takes off, by the content's uid.
  private final Map<String, String> standing = new ConcurrentHashMap<>();

  Mark(Kind<T> kind, String annotation, Api api, Time time) {
    this.kind = kind;
    this.annotation = annotation;
    this.time = time;
    patches = new GuardedPatch(api);
  }

  /// Puts it on, or makes it ours.
  ///
  /// @return the content as it now is
  /// @throws dev.berth.kube.api.ApiException.LostRace if the mark is not as it was seen
  T on(T content) {
    var meta = content.meta();
    var was = meta.annotation(annotation);
    if (was.isPresent() && was.equals(Optional.ofNullable(standing.get(meta.uid()))))
      return content;
    var value = was.isEmpty() ? SnapshotAnnotations.YES : another();
    var marked = write(meta, asSeen(meta, was).setAnnotation(meta, annotation, value));
    standing.put(meta.uid(), value);
    return marked;
  }

  private JsonPatch asSeen(Meta meta, Optional<String> was) {
    var patch = new JsonPatch().testSame(meta);
    if (was.isPresent()) return patch.test(was.get(), "metadata", "annotations", annotation);
    return meta.annotations().isEmpty()
        ? patch
        : patch.testAbsent("metadata", "annotations", annotation);
  }

  private String another() {
    return SnapshotAnnotations.YES + "-" + HexFormat.of().toHexDigits(time.random().nextInt());
  }

  /// Takes it off: what came of the attempt is known.
  ///
  /// @return the content as it now is
  T off(T content) {
    var meta = content.meta();
    if (!meta.hasAnnotation(annotation)) return content;
    standing.remove(meta.uid()); // before it is known to have gone: the answer may be lost
    return write(meta, new JsonPatch().testSame(meta).removeAnnotation(meta, annotation));
  }

  /// The content goes.
  void forget(T content) {
    standing.remove(content.meta().uid());
  }

  private T write(Meta seen, JsonPatch patch) {
    return kind.read().apply(patches.apply(kind.resource(), seen, patch));
  }
}

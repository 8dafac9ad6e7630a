package dev.berth.explain.voice;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The objects as if it had been written on each attachment, just now, since when it is wanted off.
/// Berth's attach/detach controller writes that first of all; upstream's keeps it in memory, where
/// nobody sees it: then its patience ends now and six minutes at the latest (XPL-07).
final class DetachAsked implements Snapshot {
  private final Snapshot objects;
  private final String now;

  DetachAsked(Snapshot objects, Instant now) {
    this.objects = objects;
    this.now = now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    return objects.get(kind, key) instanceof Found<T>(var found)
        ? new Found<>(asked(found))
        : objects.get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    var found = objects.all(kind);
    return kind.equals(Kinds.ATTACHMENT) ? found.stream().map(this::asked).toList() : found;
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    var found = objects.by(index, value);
    return index.kind().equals(Kinds.ATTACHMENT) ? found.stream().map(this::asked).toList() : found;
  }

  @SuppressWarnings("unchecked") // an attachment stays one
  private <T extends KubeObject> T asked(T object) {
    return object instanceof Attachment it ? (T) asked(it) : object;
  }

  private Attachment asked(Attachment it) {
    if (it.meta().hasAnnotation(Annotations.DETACH_REQUESTED_AT)) return it;
    var meta = it.meta();
    var annotations = new HashMap<>(meta.annotations());
    annotations.put(Annotations.DETACH_REQUESTED_AT, now);
    return new Attachment(
        new Meta(
            meta.key(),
            meta.uid(),
            meta.resourceVersion(),
            meta.created(),
            meta.written(),
            meta.deleted(),
            meta.graceSeconds(),
            meta.labels(),
            annotations,
            meta.finalizers(),
            meta.owners()),
        it.attacher(),
        it.nodeName(),
        it.volumeName(),
        it.inline(),
        it.attached(),
        it.metadata(),
        it.attachError(),
        it.detachError());
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    return objects.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return objects.all(summary);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    return objects.ranked(summary, place);
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return objects.unknown(kind);
  }

  @Override
  public Optional<String> unknown(Kind<?> kind, ObjectKey key) {
    return objects.unknown(kind, key);
  }
}

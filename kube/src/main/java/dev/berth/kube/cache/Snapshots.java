package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.Map;

/// Makes snapshots from plain objects, for tables of tests and for explanations. Each `with` is a
/// new snapshot, the old one stays as it is. There is no object of a kind that nobody gave.
public final class Snapshots implements Snapshot {
  private static final Snapshots EMPTY = new Snapshots(Shelves.empty());

  private final Shelves shelves;

  private Snapshots(Shelves shelves) {
    this.shelves = shelves;
  }

  public static Snapshots empty() {
    return EMPTY;
  }

  /// This snapshot with `objects`, each in the place of what had its key.
  @SafeVarargs
  public final <T extends KubeObject> Snapshots with(Kind<T> kind, T... objects) {
    var next = shelves.with(kind);
    for (var object : objects) next = next.with(kind, object);
    return new Snapshots(next);
  }

  public <T extends KubeObject> Snapshots with(Kind<T> kind, Iterable<T> objects) {
    var next = shelves.with(kind);
    for (var object : objects) next = next.with(kind, object);
    return new Snapshots(next);
  }

  /// This snapshot without the object that has the key of `object`.
  public <T extends KubeObject> Snapshots without(Kind<T> kind, T object) {
    return new Snapshots(shelves.without(kind, object.meta().key()));
  }

  /// This snapshot with the objects that `trees` show; [#unknown] says which cannot be read.
  public <T extends KubeObject> Snapshots read(Kind<T> kind, Iterable<? extends JsonNode> trees) {
    var next = shelves.with(kind);
    for (var tree : trees)
      next =
          switch (Read.of(kind, tree)) {
            case Read.Well<T>(var object) -> next.with(kind, object);
            case Read.Not<T>(var key, var why) -> next.doubting(kind, key, why);
          };
    return new Snapshots(next);
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    return shelves.with(kind).get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return shelves.with(kind).all(kind);
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    return shelves.with(index.kind()).by(index, value);
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    return withAll(summary).summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return withAll(summary).all(summary);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    return withAll(summary).ranked(summary, place);
  }

  private Shelves withAll(Summary<?> summary) {
    var next = shelves;
    for (var part : summary.parts()) next = next.with(part.kind());
    return next;
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return shelves.with(kind).unknown(kind);
  }
}

package dev.berth.kube.cache;

import dev.berth.kube.map.HashTrie;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A snapshot: a shelf for each kind, and the summaries.
final class Shelves implements Snapshot {
  private final HashTrie<Resource, Shelf<?>> shelves;
  private final Summaries summaries;

  private Shelves(HashTrie<Resource, Shelf<?>> shelves, Summaries summaries) {
    this.shelves = shelves;
    this.summaries = summaries;
  }

  static Shelves empty() {
    return new Shelves(HashTrie.empty(), Summaries.none());
  }

  <T extends KubeObject> Shelves with(Kind<T> kind, T object) {
    var shelf = shelf(kind);
    return new Shelves(
        shelves.plus(kind.resource(), shelf.with(object)),
        summaries.changed(kind, shelf.get(object.meta().key()), object, this));
  }

  <T extends KubeObject> Shelves without(Kind<T> kind, ObjectKey key) {
    var shelf = shelf(kind);
    return new Shelves(
        shelves.plus(kind.resource(), shelf.without(key)),
        summaries.changed(kind, shelf.get(key), null, this));
  }

  /// With a word on why an object is not known; empty: no more of it.
  Shelves doubting(Kind<?> kind, ObjectKey key, String why) {
    return doubtingOn(kind, key, why);
  }

  private <T extends KubeObject> Shelves doubtingOn(Kind<T> kind, ObjectKey key, String why) {
    return new Shelves(shelves.plus(kind.resource(), shelf(kind).doubting(key, why)), summaries);
  }

  /// Makes room for a kind, so that looking for its objects is no mistake.
  <T extends KubeObject> Shelves with(Kind<T> kind) {
    return has(kind)
        ? this
        : new Shelves(shelves.plus(kind.resource(), Shelf.<T>empty()), summaries);
  }

  boolean has(Kind<?> kind) {
    return shelves.get(kind.resource()) != null;
  }

  <T extends KubeObject> @Nullable T find(Kind<T> kind, ObjectKey key) {
    return shelf(kind).get(key);
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    var object = find(kind, key);
    return object == null ? new Lookup.Missing<>(kind.ref(key)) : new Lookup.Found<>(object);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return shelf(kind).all();
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    return shelf(index.kind()).by(index, value);
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    return summaries.get(summary, value, this);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return summaries.all(summary, this);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    return summaries.ranked(summary, place, this);
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return shelf(kind).doubts();
  }

  @SuppressWarnings("unchecked") // with() files a shelf under its own kind only
  private <T extends KubeObject> Shelf<T> shelf(Kind<T> kind) {
    var shelf = (Shelf<T>) shelves.get(kind.resource());
    if (shelf == null)
      throw new IllegalStateException(kind + " is looked for, but is not in this snapshot");
    return shelf;
  }
}

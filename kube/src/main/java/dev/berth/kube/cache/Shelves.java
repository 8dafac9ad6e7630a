package dev.berth.kube.cache;

import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// A snapshot: a shelf for each kind.
final class Shelves implements Snapshot {
  private final PMap<Kind<?>, Shelf<?>> shelves;

  private Shelves(PMap<Kind<?>, Shelf<?>> shelves) {
    this.shelves = shelves;
  }

  static Shelves empty() {
    return new Shelves(HashTreePMap.empty());
  }

  <T extends KubeObject> Shelves with(Kind<T> kind, T object) {
    return with(kind, shelf(kind).with(object));
  }

  <T extends KubeObject> Shelves without(Kind<T> kind, ObjectKey key) {
    return with(kind, shelf(kind).without(key));
  }

  /// Makes room for a kind, so that looking for its objects is no mistake.
  <T extends KubeObject> Shelves with(Kind<T> kind) {
    return shelves.containsKey(kind) ? this : with(kind, Shelf.empty());
  }

  private <T extends KubeObject> Shelves with(Kind<T> kind, Shelf<T> shelf) {
    return new Shelves(shelves.plus(kind, shelf));
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
  public <T extends KubeObject> int count(Count<T> count, String value) {
    return shelf(count.kind()).count(count, value);
  }

  @SuppressWarnings("unchecked") // with() files a shelf under its own kind only
  private <T extends KubeObject> Shelf<T> shelf(Kind<T> kind) {
    var shelf = (Shelf<T>) shelves.get(kind);
    if (shelf == null)
      throw new IllegalStateException(kind + " is looked for, but is not in this snapshot");
    return shelf;
  }
}
